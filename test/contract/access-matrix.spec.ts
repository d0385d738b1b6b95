import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { VISIBILITIES, type Visibility } from '#libs/access';
import { ENDPOINT, type CatalogueEntry, type EndpointDefinition } from '#libs/http';
import { Logger, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { of, type Observable } from 'rxjs';
import type { Test } from 'supertest';
import type { ApiClient } from '../support/api-client';
import { startApplication, type TestApplication } from '../support/application';
import { buildAccessFixture, CALLERS, type AccessFixture, type CallerName } from './access-fixture';
import { ENDPOINTS } from './endpoints';
import { specificationRows } from './coverage';
import { expectGolden } from './golden';
import { optionalParams, sampleCall, type Samples } from './sample-call';

const FILE = path.resolve(__dirname, '../golden/access-matrix.txt');
const AT_ONCE = 8;
const LEGEND = `Who may call what: the status of a smallest valid call of every endpoint, by visibility of the project or group.
Reads are carried out. A write is stopped when the guards have let it pass, so that nothing changes between
two calls; what its service then refuses (protected branches, say) is in the tests of its resource.
wrong-scope = the owner with a token of scope write_repository; core-tier = the owner, where nothing is licensed.
Written by: npm run golden:update
`;

/** Answers a write that was let pass, instead of its handler. */
class StopWrites implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const definition: EndpointDefinition | undefined = Reflect.getMetadata(ENDPOINT, context.getHandler());
    const isRead = definition === undefined || definition.method === 'GET' || definition.method === 'HEAD';
    return isRead ? next.handle() : of(null);
  }
}

/** What git says a revision is; asked once. */
class Shas {
  private readonly known = new Map<string, string>();

  of(repository: string, revision: string): string {
    const key = `${repository} ${revision}`;
    const sha =
      this.known.get(key) ??
      execFileSync('git', ['-C', repository, 'rev-parse', revision], { encoding: 'utf8' }).trim();
    this.known.set(key, sha);
    return sha;
  }
}

/** An application with everybody in it, that carries no write out. */
class Stage {
  private readonly shas = new Shas();

  constructor(
    private readonly application: TestApplication,
    private readonly fixture: AccessFixture,
  ) {}

  static async open(environment: Record<string, string> = {}): Promise<Stage> {
    const application = await startApplication(environment, (nest) =>
      nest.useGlobalInterceptors(new StopWrites()),
    );
    return new Stage(application, await buildAccessFixture(application));
  }

  async status(definition: EndpointDefinition, caller: CallerName, visibility: Visibility): Promise<number> {
    const samples = this.samplesFor(definition, visibility);
    const call = sampleCall(definition, samples);
    const first = await this.call(definition, caller, call.path, call.params);
    if (first !== 400) return first;
    return this.call(definition, caller, call.path, {
      ...call.params,
      ...optionalParams(definition, samples),
    });
  }

  close = (): Promise<void> => this.application.close();

  private samplesFor({ subject, path: url }: EndpointDefinition, visibility: Visibility): Samples {
    const project = this.fixture.projects.get(visibility);
    const group = this.fixture.groups.get(visibility);
    if (!project || !group) throw new Error(`nothing is ${visibility}`);
    const { someone, member } = this.fixture;
    const userId = String(/\/(?:project|group)s\/:id\/members/.test(url) ? member.id : someone.id);
    const id = { project: project.id, group: group.id }[subject ?? 'project'];
    const ofNone = url.startsWith('/api/v4/namespaces') ? String(group.id) : userId;
    const revision = url.includes('/blobs/') ? 'master:README.md' : 'master';
    const sha = this.shas.of(project.repositoryPath, revision);
    const things = this.fixture.planted.get(visibility)?.[subject ?? 'project'] ?? {};
    const noteable = /\/(issues|merge_requests|snippets|epics)\//.exec(url)?.[1] ?? '';
    const planted = { ...things, note_id: things[`${noteable} note_id`] ?? '1' };
    return { id: subject === null ? ofNone : String(id), groupPath: group.fullPath, userId, sha, planted };
  }

  private async call(
    { method }: EndpointDefinition,
    caller: CallerName,
    url: string,
    params: Readonly<Record<string, unknown>>,
  ): Promise<number> {
    const token = this.fixture.tokens.get(caller) ?? null;
    const api = token === null ? this.application.api : this.application.as({ token });
    const isRead = method === 'GET' || method === 'HEAD';
    const query = isRead ? queryOf(params) : '';
    const verb = {
      GET: api.get,
      HEAD: api.head,
      POST: api.post,
      PUT: api.put,
      PATCH: api.patch,
      DELETE: api.delete,
    }[method];
    const { status } = isRead ? await verb(url + query) : await sent(verb, url, params);
    return status;
  }
}

/** As JSON, or with its files as a form. */
function sent(verb: ApiClient['post'], url: string, params: Readonly<Record<string, unknown>>): Test {
  const files = Object.entries(params).filter(([, value]) => Buffer.isBuffer(value));
  if (files.length === 0) return verb(url, params);
  return files.reduce(
    (form, [name, file]) =>
      Buffer.isBuffer(file) ? form.attach(name, file, { filename: 'file.bin' }) : form,
    verb(url),
  );
}

function queryOf(params: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) value.forEach((each) => query.append(`${name}[]`, String(each)));
    else query.append(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

const COLUMNS = [...CALLERS, 'core-tier'] as const;
const WIDTH = 12;

const SPECIFIED = new Set(specificationRows().map(({ row }) => row));

/** Internal things are looked at where the specification has the row: a third of the calls less. */
function visibilitiesFor({ row, subject }: EndpointDefinition): readonly Visibility[] {
  if (subject === null) return ['private'];
  return SPECIFIED.has(row) ? VISIBILITIES : ['private', 'public'];
}

async function linesOf({ definition }: CatalogueEntry, licensed: Stage, core: Stage): Promise<string[]> {
  const lines = [definition.row];
  for (const visibility of visibilitiesFor(definition)) {
    const statuses: number[] = [];
    for (const caller of CALLERS) statuses.push(await licensed.status(definition, caller, visibility));
    statuses.push(await core.status(definition, 'owner', visibility));
    const label = definition.subject === null ? '' : visibility;
    lines.push(
      `  ${label.padEnd(10)}${statuses.map((status) => String(status).padEnd(WIDTH)).join('')}`.trimEnd(),
    );
  }
  return lines;
}

describe('the access matrix', () => {
  const stages: Stage[] = [];

  beforeAll(async () => {
    // TypeORM's module warns of two applications in one process, which have a database each.
    Logger.overrideLogger(false);
    stages.push(await Stage.open(), await Stage.open({ TIER: 'core' }));
  });
  afterAll(() => Promise.all(stages.map((stage) => stage.close())));

  it('is as agreed (a wanted change: npm run golden:update, and read the difference)', async () => {
    const [licensed, core] = stages;
    if (!licensed || !core) throw new Error('the stages are not open');
    const sorted = [...ENDPOINTS].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
    const blocks: string[][] = [];
    for (let next = 0; next < sorted.length; next += AT_ONCE) {
      const some = sorted.slice(next, next + AT_ONCE);
      blocks.push(...(await Promise.all(some.map((entry) => linesOf(entry, licensed, core)))));
    }
    const header = `${''.padEnd(12)}${COLUMNS.map((name) => name.padEnd(WIDTH)).join('')}`.trimEnd();
    await expectGolden(FILE, [LEGEND, header, ...blocks.flat(), ''].join('\n'));
  }, 180_000);
});

const sortKey = ({ definition }: CatalogueEntry): string => `${definition.path} ${definition.method}`;
