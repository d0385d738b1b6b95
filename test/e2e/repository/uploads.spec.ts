import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import supertest from 'supertest';
import { ProjectRemoval } from '../../../src/repository/projects/project-removal.service';
import { hashedDiskPath } from '../../../src/repository/storages/storages';
import { AbandonedUploads } from '../../../src/repository/uploads/abandoned-uploads.job';
import { UploadStorage } from '../../../src/repository/uploads/upload-storage';
import { Cast } from '../../support/access-row';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication({ UPLOAD_LIMIT_MB: '2' });

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const MOST = 2 * 1024 * 1024;

let guest: BuiltUser;
let project: BuiltProject;

beforeEach(async () => {
  guest = await app.current.build.user();
  project = await app.current.build.project({ members: { guest } });
});

const send = (content: Buffer | string, filename: string, to = project, user = guest) =>
  app.current.as(user).post(`/projects/${to.id}/uploads`).attach('file', Buffer.from(content), { filename });
const server = () => supertest(app.current.nest.getHttpServer());
const fetchAs = (user: { token: string } | null, url: string, of = project) => {
  const request = server()
    .get(encodeURI(`/${of.fullPath}${url}`))
    .buffer(true);
  return user ? request.set('private-token', user.token) : request;
};
const folderOf = ({ id }: BuiltProject): string =>
  path.join(app.current.settings.uploadsDir, hashedDiskPath(id));
const filesOf = (of: BuiltProject): Promise<string[]> => fs.readdir(folderOf(of)).catch(() => []);

describe('POST /projects/:id/uploads', () => {
  it('keeps a picture and tells how a text shows it', async () => {
    const { status, body } = await send(PNG, 'dk.png');
    expect(status).toBe(201);
    expect(body.url).toMatch(/^\/uploads\/[0-9a-f]{32}\/dk\.png$/);
    expect(body).toEqual({ alt: 'dk', url: body.url, markdown: `![dk](${body.url})` });
    expect(Object.keys(body)).toEqual(['alt', 'url', 'markdown']);
  });

  it.each(['png', 'jpg', 'jpeg', 'gif', 'bmp', 'tiff', 'ico', 'mp4', 'm4v', 'mov', 'webm', 'ogv', 'PNG'])(
    'shows .%s in place',
    async (ending) => {
      const { body } = await send('bytes', `a.b.${ending}`);
      expect([body.alt, body.markdown]).toEqual(['a.b', `![a.b](${body.url})`]);
    },
  );

  it.each(['notes.txt', 'drawing.svg', 'report.pdf', 'png', '.png', 'Makefile', 'a.png.exe'])(
    'links to %s',
    async (name) => {
      const { body } = await send('bytes', name);
      expect([body.alt, body.markdown]).toEqual([name, `[${name}](${body.url})`]);
    },
  );

  it('gives the same file another secret each time', async () => {
    const [one, other] = [await send(PNG, 'dk.png'), await send(PNG, 'dk.png')];
    expect(one.body.url).not.toBe(other.body.url);
    expect((await filesOf(project)).length).toBe(2);
  });

  it.each([
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['...', '_...'],
    ['my file (1).png', 'my_file__1_.png'],
    ['a\r\nSet-Cookie: b.txt', /^[\w.-]+$/],
    ['<img src=x onerror=alert(1)>.png', '_img_src_x_onerror_alert_1__.png'],
    ['naïve-файл+1.txt', 'naïve-файл+1.txt'],
    ['rtl\u202egnp.exe', 'rtl_gnp.exe'],
    [`${'x'.repeat(300)}.txt`, `${'x'.repeat(251)}.txt`],
    ['%2e%2e%2fsecret', '_2e_2e_2fsecret'],
  ])('makes a harmless name of %j', async (given, name) => {
    const { status, body } = await send('bytes', given);
    expect(status).toBe(201);
    const made = body.url.split('/').at(-1);
    if (typeof name === 'string') expect(made).toBe(name);
    else expect(made).toMatch(name);
    expect((await fetchAs(guest, body.url)).status).toBe(200);
    expect(await filesOf(project)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  it('escapes a bracket that would end the text of the link', async () => {
    const { body } = await send('bytes', 'a](javascript:alert(1)).txt');
    expect(body.alt).toBe('a\\]_javascript_alert_1__.txt');
    expect(body.markdown).toBe(`[a\\]_javascript_alert_1__.txt](${body.url})`);
  });

  it.each([
    ['nothing', (path: string) => app.current.as(guest).post(path), '400 (Bad request) "file" not given'],
    [
      'a field without a file',
      (path: string) => app.current.as(guest).post(path).field('other', 'x'),
      '400 (Bad request) "file" not given',
    ],
  ])('wants a file, not %s', async (_, request, message) => {
    const { status, body } = await request(`/projects/${project.id}/uploads`);
    expect([status, body]).toEqual([400, { message }]);
  });

  it('takes no text for a file', async () => {
    const { status, body } = await app.current
      .as(guest)
      .post(`/projects/${project.id}/uploads`, { file: 'x' });
    expect([status, body]).toEqual([400, { error: 'file is invalid' }]);
  });

  it('passes over the empty avatar that python-gitlab sends along', async () => {
    const { status } = await send(PNG, 'dk.png').field('avatar', '');
    expect(status).toBe(201);
  });

  it('takes as much as the operator allows and not a byte more', async () => {
    const { status, body } = await send(Buffer.alloc(MOST), 'large.bin');
    expect(status).toBe(201);
    expect((await fetchAs(guest, body.url)).body).toHaveLength(MOST);
    const refused = await send(Buffer.alloc(MOST + 1), 'large.bin');
    expect([refused.status, refused.body]).toEqual([413, { message: '413 Request Entity Too Large' }]);
    expect((await filesOf(project)).length).toBe(1);
  });

  it('is for everybody who is signed in and sees the project', async () => {
    const cast = await Cast.of(app.current, {});
    const row = await cast.row((api, { id }) =>
      api.post(`/projects/${id}/uploads`).attach('file', PNG, { filename: 'a.png' }),
    );
    expect(row).toEqual({
      'anonymous public': 401,
      'anonymous internal': 401,
      'anonymous private': 401,
      'stranger public': 201,
      'stranger internal': 201,
      'stranger private': 404,
      guest: 201,
      reporter: 201,
      developer: 201,
      maintainer: 201,
      owner: 201,
      admin: 201,
    });
  });

  it('is refused where the project is archived', async () => {
    const archived = await app.current.build.project({ members: { guest }, columns: { archived: true } });
    expect((await send(PNG, 'a.png', archived)).status).toBe(403);
  });

  it('keeps nothing where storing fails, and says so', async () => {
    const storage = app.current.nest.get(UploadStorage);
    const settle = jest.spyOn(storage, 'settle').mockRejectedValue(new Error('the disk is full'));
    try {
      const { status, body } = await send(PNG, 'dk.png');
      expect([status, body]).toEqual([500, { message: '500 Internal Server Error' }]);
    } finally {
      settle.mockRestore();
    }
    expect(await filesOf(project)).toEqual([]);
    const { rows } = await app.current.database.query('SELECT 1 FROM uploads WHERE project_id = $1', [
      project.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('GET /:project/uploads/:secret/:name', () => {
  it('serves a picture to be drawn, by its bytes', async () => {
    const { url } = (await send(PNG, 'dk.png')).body;
    const picture = await fetchAs(guest, url);
    expect([picture.status, picture.body]).toEqual([200, PNG]);
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': `inline; filename="dk.png"; filename*=UTF-8''dk.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'max-age=0, private, must-revalidate',
      'accept-ranges': 'bytes',
    });
  });

  it.each([
    ['page.png', '<html><script>alert(1)</script></html>', 'application/octet-stream'],
    [
      'drawing.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      'application/octet-stream',
    ],
    [
      'drawing.png',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
      'application/octet-stream',
    ],
    ['page.html', '<!doctype html><script>alert(1)</script>', 'application/octet-stream'],
    ['notes.txt', 'text', 'application/octet-stream'],
    ['empty.gif', '', 'application/octet-stream'],
    ['report.pdf', '%PDF-1.4\n', 'application/pdf'],
  ])('serves %s to be saved alone', async (name, content, type) => {
    const { url } = (await send(content, name)).body;
    const { status, headers } = await fetchAs(guest, url);
    expect([status, headers['content-type']]).toEqual([200, type]);
    expect(headers['content-disposition']).toMatch(/^attachment; /);
  });

  it('draws a picture whatever it is called', async () => {
    const { url } = (await send(PNG, 'picture.html')).body;
    const { headers } = await fetchAs(guest, url);
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      'image/png',
      `inline; filename="picture.html"; filename*=UTF-8''picture.html`,
    ]);
  });

  it('writes names of all scripts into the headers', async () => {
    const { url } = (await send('x', 'файл].txt')).body;
    const { headers } = await fetchAs(guest, url);
    expect(headers['content-disposition']).toBe(
      `attachment; filename="____].txt"; filename*=UTF-8''%D1%84%D0%B0%D0%B9%D0%BB%5D.txt`,
    );
  });

  it('answers HEAD, ranges and conditions', async () => {
    const { url } = (await send('0123456789', 'digits.bin')).body;
    const head = await server().head(`/${project.fullPath}${url}`).set('private-token', guest.token);
    expect([head.status, head.headers['content-length']]).toEqual([200, '10']);
    const part = await fetchAs(guest, url).set('range', 'bytes=2-4');
    expect([part.status, part.body.toString(), part.headers['content-range']]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
    ]);
    const end = await fetchAs(guest, url).set('range', 'bytes=-3');
    expect([end.status, end.body.toString()]).toEqual([206, '789']);
    const beyond = await fetchAs(guest, url).set('range', 'bytes=10-20');
    expect([beyond.status, beyond.headers['content-range'], beyond.text ?? '']).toEqual([
      416,
      'bytes */10',
      '',
    ]);
    const etag = head.headers['etag'] ?? '';
    expect((await fetchAs(guest, url).set('if-none-match', etag)).status).toBe(304);
    expect((await fetchAs(guest, url).set('if-match', '"other"')).status).toBe(412);
    const changed = await fetchAs(guest, url).set('range', 'bytes=2-4').set('if-range', '"other"');
    expect([changed.status, changed.body.toString()]).toEqual([200, '0123456789']);
  });

  it('is for those who see the project, pictures too, and ends with that right', async () => {
    const { build, database } = app.current;
    const { url } = (await send(PNG, 'dk.png')).body;
    const stranger = await build.user();
    for (const user of [null, stranger]) {
      const { status, body } = await fetchAs(user, url);
      expect([status, body]).toEqual([404, { message: '404 Not found' }]);
    }
    const etag = (await fetchAs(guest, url)).headers['etag'] ?? '';
    await database.query(`UPDATE projects SET visibility = 'internal' WHERE id = $1`, [project.id]);
    expect((await fetchAs(null, url)).status).toBe(404);
    expect((await fetchAs(stranger, url)).status).toBe(200);
    await database.query(`UPDATE projects SET visibility = 'public' WHERE id = $1`, [project.id]);
    expect((await fetchAs(null, url)).status).toBe(200);
    await database.query(`UPDATE projects SET visibility = 'private' WHERE id = $1`, [project.id]);
    expect((await fetchAs(stranger, url).set('if-none-match', etag)).status).toBe(404);
  });

  it('knows its reader by the session of a browser or by a token that may read', async () => {
    const { build } = app.current;
    const { url } = (await send(PNG, 'dk.png')).body;
    const session = await build.token(guest, ['api'], { kind: 'session' });
    const address = `/${project.fullPath}${url}`;
    const byCookie = await server().get(address).set('cookie', `_service_session=${session}`);
    expect(byCookie.status).toBe(200);
    expect((await server().get(`${address}?private_token=${guest.token}`)).status).toBe(200);
    const other = await build.token(guest, ['read_repository']);
    expect((await fetchAs({ token: other }, url)).status).toBe(403);
    expect((await fetchAs({ token: await build.token(guest, ['read_api']) }, url)).status).toBe(200);
    expect((await fetchAs({ token: 'unknown' }, url)).status).toBe(401);
    const revoked = await build.token(guest, ['api'], { revokedAt: new Date() });
    expect((await fetchAs({ token: revoked }, url)).status).toBe(401);
  });

  it('keeps to the project and to the name', async () => {
    const other = await app.current.build.project({ members: { guest } });
    const { url } = (await send(PNG, 'dk.png')).body;
    expect((await fetchAs(guest, url, other)).status).toBe(404);
    expect((await fetchAs(guest, url.replace('dk.png', 'other.png'))).status).toBe(404);
    expect((await fetchAs(guest, `/uploads/${randomBytes(16).toString('hex')}/dk.png`)).status).toBe(404);
  });

  it('leads nowhere else, however deep the groups are (CVE-2023-2825)', async () => {
    const { build, settings } = app.current;
    const sentinel = path.join(settings.dataDir, 'sentinel.txt');
    await fs.writeFile(sentinel, 'the sentinel speaks');
    let parent = await build.group({ visibility: 'public' });
    for (let depth = 1; depth <= 8; depth += 1) {
      const inner = await build.project({ namespace: parent, visibility: 'public', members: { guest } });
      const { url } = (await send('x', 'x.txt', inner)).body;
      const secret = url.split('/')[2];
      for (const dots of ['..%2f', '..%5c', '%2e%2e%2f', '%252e%252e%252f', '..%c0%af']) {
        for (const start of [`/uploads/${secret}/`, '/uploads/', `/uploads/${secret}%2f`]) {
          const address = `/${inner.fullPath}${start}${dots.repeat(depth + 6)}sentinel.txt`;
          const { status, text } = await server().get(address);
          expect([400, 404]).toContain(status);
          expect(text).not.toContain('the sentinel speaks');
        }
      }
      parent = await build.group({ parent, visibility: 'public' });
    }
  });
});

describe('files of a project', () => {
  it('go on under the project’s new name', async () => {
    const owner = await app.current.build.user();
    const own = await app.current.build.project({ owner, members: { guest } });
    const { url } = (await send(PNG, 'dk.png', own)).body;
    const { body } = await app.current.as(owner).put(`/projects/${own.id}`, { path: `${own.path}-renamed` });
    expect((await fetchAs(guest, url, { ...own, fullPath: body.path_with_namespace })).status).toBe(200);
  });

  it('go with the project', async () => {
    const owner = await app.current.build.user();
    const own = await app.current.build.project({ owner, members: { guest } });
    const { url } = (await send(PNG, 'dk.png', own)).body;
    await app.current.as(owner).delete(`/projects/${own.id}`).expect(202);
    expect((await fetchAs(guest, url, own)).status).toBe(404);
    await app.current.nest.get(ProjectRemoval).remove(own.id, owner.id);
    await expect(fs.access(folderOf(own))).rejects.toThrow('ENOENT');
  });

  it('are not taken by a project that is deleted while they are sent', async () => {
    const storage = app.current.nest.get(UploadStorage);
    const take = storage.take.bind(storage);
    const spy = jest.spyOn(storage, 'take').mockImplementation(async (upload, from) => {
      await app.current.database.query('UPDATE projects SET pending_delete = true WHERE id = $1', [
        project.id,
      ]);
      await take(upload, from);
    });
    try {
      const { status, body } = await send(PNG, 'dk.png');
      expect([status, body]).toEqual([404, { message: '404 Project Not Found' }]);
    } finally {
      spy.mockRestore();
    }
    expect(await filesOf(project)).toEqual([]);
  });

  it('are swept where a process died over them, and only there', async () => {
    const kept = await send(PNG, 'dk.png');
    const lost = ['half', 'whole', 'young'].map((word) => Buffer.from(word.padEnd(16)).toString('hex'));
    const [half = '', whole = '', young = ''] = lost;
    for (const secret of lost) {
      await app.current.database.query(
        `INSERT INTO uploads (project_id, secret, file_name, content_type, size, created_at)
         VALUES ($1, $2, 'a', 'image/png', 1, now() - $3::interval)`,
        [project.id, secret, secret === young ? '23 hours' : '25 hours'],
      );
    }
    await fs.writeFile(path.join(folderOf(project), `${half}.part`), 'x');
    await fs.writeFile(path.join(folderOf(project), whole), 'x');
    await fs.writeFile(path.join(folderOf(project), `${young}.part`), 'x');
    const url = `/uploads/${whole}/a`;
    expect((await fetchAs(guest, url)).status).toBe(404);
    await app.current.nest.get(AbandonedUploads).run({}, { signal: new AbortController().signal });
    expect((await filesOf(project)).sort()).toEqual([kept.body.url.split('/')[2], `${young}.part`].sort());
    expect((await fetchAs(guest, kept.body.url)).status).toBe(200);
  });

  it('are read by every node', async () => {
    const { url } = (await send(PNG, 'dk.png')).body;
    const other = await app.current.startAnother();
    const answer = await supertest(other.nest.getHttpServer())
      .get(`/${project.fullPath}${url}`)
      .set('private-token', guest.token);
    expect([answer.status, answer.body]).toEqual([200, PNG]);
  });
});
