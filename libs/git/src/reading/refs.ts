import type { Branch, Reference, Sha, Tag } from '../git';
import { isTagName } from '../names';
import { RepositoryCommands } from '../processes/repository-commands';
import type { RepositoryContext } from '../repository-context';
import { mapBounded } from './map-bounded';
import type { Revisions } from './revisions';
import { assertSha } from './sha-arguments';

const HEADS = 'refs/heads/';
const TAGS = 'refs/tags/';
const LISTING = '--format=%(objecttype) %(objectname) %(refname)';

interface ListedRef {
  readonly type: string;
  readonly sha: Sha;
  readonly name: string;
}

/** Lists of branches and tags. Never cached: they change under us. */
export class Refs {
  private readonly commands: RepositoryCommands;

  constructor(
    private readonly context: RepositoryContext,
    private readonly revisions: Revisions,
  ) {
    this.commands = new RepositoryCommands(context);
  }

  async branches(): Promise<Branch[]> {
    const refs = await this.list([HEADS]);
    return refs.map(({ name, sha }) => ({ name: name.slice(HEADS.length), sha }));
  }

  async branchesMergedInto(commit: Sha): Promise<Set<string>> {
    assertSha(commit);
    const refs = await this.list([HEADS], [`--merged=${commit}`]);
    return new Set(refs.map(({ name }) => name.slice(HEADS.length)));
  }

  async tags(): Promise<Tag[]> {
    const refs = await this.list([TAGS]);
    return mapBounded(refs, 64, (ref) => this.describeTag(ref));
  }

  async tag(name: string): Promise<Tag | null> {
    if (!isTagName(name)) return null;
    const found = await this.context.objects.info(`${TAGS}${name}`);
    return found && this.describeTag({ ...found, name: `${TAGS}${name}` });
  }

  async refsContaining(sha: Sha, type: 'branch' | 'tag' | 'all'): Promise<Reference[]> {
    if ((await this.context.objects.commit(sha)) === null) return [];
    const folders = [...(type === 'tag' ? [] : [HEADS]), ...(type === 'branch' ? [] : [TAGS])];
    const refs = await this.list(folders, [`--contains=${sha}`]);
    return refs.map(({ name }) =>
      name.startsWith(HEADS)
        ? { type: 'branch', name: name.slice(HEADS.length) }
        : { type: 'tag', name: name.slice(TAGS.length) },
    );
  }

  async isEmpty(): Promise<boolean> {
    if ((await this.revisions.headBranch()) !== null) return false;
    return (await this.list([HEADS, TAGS], ['--count=1'])).length === 0;
  }

  private async list(folders: readonly string[], options: readonly string[] = []): Promise<ListedRef[]> {
    const lines = await this.commands.lines(['for-each-ref', LISTING, ...options, ...folders]);
    return lines.map((line) => {
      const [type = '', sha = ''] = line.split(' ', 2);
      return { type, sha, name: line.slice(type.length + sha.length + 2) };
    });
  }

  private async describeTag({ type, sha, name }: ListedRef): Promise<Tag> {
    const shortName = name.slice(TAGS.length);
    if (type === 'commit') return { name: shortName, target: sha, sha, message: null };
    const object = type === 'tag' ? await this.context.objects.tag(sha) : null;
    const peeled = object?.targetType === 'commit' ? object.target : await this.revisions.peel(sha);
    return { name: shortName, target: sha, sha: peeled, message: object?.message ?? null };
  }
}
