import { Namespace } from './namespace.entity';

describe('a namespace', () => {
  it.each([
    [false, true],
    [true, false],
  ])('whose lock on sharing is %s allows sharing: %s', (shareWithGroupLock, allowsSharing) => {
    const namespace = Object.assign(new Namespace(), { shareWithGroupLock });
    expect(namespace.allowsSharing).toBe(allowsSharing);
  });
});
