import { membershipChanges, type CurrentMember } from './membership-changes';

const member = (userId: number, accessLevel: number, more: Partial<CurrentMember> = {}): CurrentMember => ({
  id: 100 + userId,
  userId,
  accessLevel,
  ldap: true,
  isLive: true,
  ...more,
});

describe('memberships that follow a directory', () => {
  it('come, rise, fall and go', () => {
    const current = [member(1, 50), member(2, 20), member(3, 40), member(4, 30), member(5, 30)];
    const wanted = new Map([
      [1, 50],
      [2, 30],
      [3, 10],
      [5, 30],
      [6, 20],
    ]);
    expect(membershipChanges(current, wanted, false)).toEqual({
      kept: [
        { userId: 2, accessLevel: 30 },
        { userId: 3, accessLevel: 10 },
        { userId: 6, accessLevel: 20 },
      ],
      removed: [104],
      lastOwner: null,
    });
  });

  it('leave those alone that were made by hand, unless the directory wants them too', () => {
    const current = [
      member(1, 50, { ldap: false }),
      member(2, 40, { ldap: false }),
      member(3, 10, { ldap: false }),
    ];
    const changes = membershipChanges(current, new Map([[2, 40]]), false);
    expect(changes).toEqual({ kept: [{ userId: 2, accessLevel: 40 }], removed: [], lastOwner: null });
  });

  it('take over requests for access and what has expired', () => {
    const current = [member(1, 30, { isLive: false })];
    expect(membershipChanges(current, new Map([[1, 30]]), true).kept).toEqual([
      { userId: 1, accessLevel: 30 },
    ]);
  });

  describe('keep the last owner', () => {
    it('who would go: the one who came first', () => {
      const current = [member(2, 50), member(1, 50)];
      expect(membershipChanges(current, new Map(), false)).toEqual({
        kept: [],
        removed: [102],
        lastOwner: 1,
      });
    });

    it('who would fall', () => {
      const changes = membershipChanges([member(1, 50)], new Map([[1, 30]]), false);
      expect(changes).toEqual({ kept: [], removed: [], lastOwner: 1 });
    });

    it.each([
      ['one above the group', [member(1, 50)], new Map<number, number>(), true],
      ['one made by hand', [member(1, 50), member(2, 50, { ldap: false })], new Map<number, number>(), false],
      ['one who comes', [member(1, 50)], new Map([[3, 50]]), false],
    ])('but not where there is %s', (_case, current, wanted, hasOwnerAbove) => {
      const changes = membershipChanges(current, wanted, hasOwnerAbove);
      expect(changes.removed).toEqual([101]);
      expect(changes.lastOwner).toBeNull();
    });

    it('whose membership has not expired', () => {
      const current = [member(1, 50, { isLive: false })];
      expect(membershipChanges(current, new Map(), false)).toMatchObject({ removed: [101], lastOwner: null });
    });
  });
});
