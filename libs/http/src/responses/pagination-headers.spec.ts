import { pageHeaders } from './pagination-headers';

const BASE = 'http://host.test';

describe('the headers of a page', () => {
  it('keep a query whole that has question marks of its own', () => {
    const page = { rows: [1], total: 1, hasNext: false };
    const { Link } = pageHeaders(page, { page: 1, perPage: 20 }, BASE, '/list?search=why?&path=a?b&x=1');
    expect(Link).toContain(`<${BASE}/list?search=why?&path=a?b&x=1&page=1&per_page=20>; rel="first"`);
  });

  it('link from a request without a query', () => {
    const page = { rows: [1], total: 1, hasNext: false };
    expect(pageHeaders(page, { page: 1, perPage: 20 }, BASE, '/list')['Link']).toContain(
      `<${BASE}/list?page=1&per_page=20>; rel="first"`,
    );
  });

  it.each([
    ['beyond the end, the total known', { rows: [], total: 5, hasNext: false }, ''],
    ['beyond the end, the total unknown', { rows: [], total: null, hasNext: false }, ''],
    ['within, the total unknown', { rows: [1], total: null, hasNext: true }, '8'],
    ['within, the total known', { rows: [1], total: 200, hasNext: true }, '8'],
  ])('name the page before for one %s', (_name, page, previous) => {
    const headers = pageHeaders(page, { page: 9, perPage: 20 }, BASE, '/list');
    expect(headers['X-Prev-Page']).toBe(previous);
    expect(headers['Link']?.includes('rel="prev"')).toBe(previous !== '');
  });
});
