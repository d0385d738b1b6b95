import { environmentSlug } from './environment-slug';

describe('the slug of an environment', () => {
  it.each(['production', 'staging-2', 'a'.repeat(24)])('is the name %s where that is one', (name) => {
    expect(environmentSlug(name)).toBe(name);
  });

  it.each([
    ['review/more', /^review-more-[a-z0-9]{6}$/],
    ['Production', /^production-[a-z0-9]{6}$/],
    ['1-Review', /^env-1-review-[a-z0-9]{6}$/],
    ['--x', /^env-x-[a-z0-9]{6}$/],
    ['review/a  long one, very long', /^review-a-long-one-[a-z0-9]{6}$/],
    ['a'.repeat(25), /^a{17}-[a-z0-9]{6}$/],
    ['äöü', /^env-[a-z0-9]{6}$/],
  ])('makes one of %s', (name, slug) => {
    expect(environmentSlug(name)).toMatch(slug);
    expect(environmentSlug(name).length).toBeLessThanOrEqual(24);
  });

  it('differs where names differ', () => {
    expect(environmentSlug('review/a')).not.toBe(environmentSlug('review a'));
    expect(environmentSlug('review/a')).not.toBe(environmentSlug('review-a'));
  });
});
