import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { useApplication } from '../../support/application';

const app = useApplication();

const NODE_MODULES = path.join(__dirname, '../../../node_modules');
const textOf = (file: string): Promise<string> => readFile(path.join(NODE_MODULES, file), 'utf8');

async function licenceOf(files: Readonly<Record<string, string | Buffer>> | undefined): Promise<unknown> {
  const owner = await app.current.build.user();
  const project = await app.current.build.project({ owner, path: 'licensed', ...(files && { files }) });
  const { status, body } = await app.current.as(owner).get(`/projects/${project.id}?license=true`);
  expect(status).toBe(200);
  const { license, license_url: url } = body;
  return { license, url: url && url.replace(owner.username, 'owner') };
}

describe('GET /projects/:id', () => {
  it('tells the licence that is recognised by its text, field by field', async () => {
    expect(await licenceOf({ LICENSE: await textOf('express/LICENSE') })).toEqual({
      license: {
        key: 'mit',
        name: 'MIT License',
        nickname: null,
        html_url: 'http://choosealicense.com/licenses/mit/',
        source_url: 'https://opensource.org/license/mit/',
      },
      url: 'http://service.test/owner/licensed/blob/master/LICENSE',
    });
  });

  it.each([
    ['LICENCE.md', 'typescript/LICENSE.txt', 'apache-2.0'],
    ['copying', 'semver/LICENSE', 'isc'],
    ['LICENSE-BSD.txt', 'source-map/LICENSE', 'bsd-3-clause'],
    ['UNLICENSE', 'spdx-license-list/license', 'cc0-1.0'],
  ])('finds it in %s', async (name, source, key) => {
    expect(await licenceOf({ [name]: await textOf(source), 'a.rb': 'x' })).toMatchObject({
      license: { key },
    });
  });

  it('knows the GNU licences by their nicknames', async () => {
    const { licenseText }: { licenseText: string } = JSON.parse(
      await textOf('spdx-license-list/licenses/GPL-3.0-only.json'),
    );
    expect(await licenceOf({ COPYING: licenseText.replaceAll('\n', '\r\n') })).toMatchObject({
      license: {
        key: 'gpl-3.0',
        name: 'GNU General Public License v3.0',
        nickname: 'GNU GPLv3',
        source_url: 'https://www.gnu.org/licenses/gpl-3.0.txt',
      },
    });
  });

  it('says that a text is another than the known ones', async () => {
    const other = { key: 'other', name: 'Other', nickname: null, source_url: null };
    expect(await licenceOf({ 'LICENSE.txt': 'You may do as you please on Sundays.' })).toMatchObject({
      license: other,
    });
    expect(await licenceOf({ LICENSE: Buffer.alloc(300 * 1024, 'x') })).toMatchObject({ license: other });
    expect(await licenceOf({ LICENSE: '' })).toMatchObject({ license: other });
  });

  it('has null for both where there is no such file', async () => {
    const nothing = { license: null, url: null };
    expect(await licenceOf({ 'README.md': await textOf('express/LICENSE') })).toEqual(nothing);
    expect(await licenceOf({ 'LICENSE/mit': 'x', 'docs/LICENSE': 'x' })).toEqual(nothing);
    expect(await licenceOf(undefined)).toEqual(nothing);
  });

  it('tells neither to those who do not ask for it', async () => {
    const owner = await app.current.build.user();
    const project = await app.current.build.project({ owner, files: { LICENSE: 'x' } });
    const { body } = await app.current.as(owner).get(`/projects/${project.id}`);
    expect([body.license, body.license_url]).toEqual([undefined, undefined]);
  });

  it('tells nothing of the code to those who may not read it', async () => {
    const guest = await app.current.build.user();
    const project = await app.current.build.project({ members: { guest }, files: { LICENSE: 'x' } });
    const { body } = await app.current.as(guest).get(`/projects/${project.id}?license=true`);
    expect([body.license, body.license_url]).toEqual([null, null]);
  });
});
