import { GitFixture } from '#libs/testing';
import { createMessage, generateKey, readPrivateKey, sign, type PrivateKey } from 'openpgp';
import type { BuiltProject } from './builders';

interface KeyWishes {
  readonly emails: readonly string[];
  readonly subkeys?: readonly { readonly sign: true }[];
  /** Seconds after which the key expires. */
  readonly lifetime?: number;
  readonly createdAt?: Date;
}

/** A new OpenPGP key. */
export async function newSigningKey({
  emails,
  subkeys = [],
  lifetime,
  createdAt,
}: KeyWishes): Promise<PrivateKey> {
  const { privateKey } = await generateKey({
    type: 'ecc',
    userIDs: emails.map((email) => ({ name: 'Ann', email })),
    subkeys: [...subkeys],
    ...(lifetime !== undefined && { keyExpirationTime: lifetime }),
    // Signatures a moment after the key would be in its future on a slow machine.
    date: createdAt ?? new Date(Date.now() - 60_000),
    format: 'armored',
  });
  return readPrivateKey({ armoredKey: privateKey });
}

interface Signing {
  readonly email: string;
  readonly key: PrivateKey;
  readonly signedAt?: Date;
  /** Changes the commit after it was signed. */
  readonly tamper?: (text: string) => string;
  /** Stands in the place of the signature. */
  readonly armor?: string;
}

/** Writes a commit object as git does, signed; answers its sha. */
export async function signedCommit(
  project: BuiltProject,
  { email, key, signedAt, tamper = (text) => text, armor = '' }: Signing,
): Promise<string> {
  const git = GitFixture.on(project.repositoryPath);
  const tree = await git.git('rev-parse', 'master^{tree}');
  const who = `Ann <${email}> ${Math.floor(Date.now() / 1000)} +0000`;
  const head = `tree ${tree}\nparent ${project.tip}\nauthor ${who}\ncommitter ${who}\n`;
  const body = `\nSigned ünï ${Math.random()}\n`;
  const message = await createMessage({ binary: Buffer.from(head + body) });
  const date = signedAt ?? new Date();
  const signature =
    armor || String(await sign({ message, signingKeys: key, detached: true, format: 'armored', date }));
  const header = `gpgsig ${signature.replaceAll('\r', '').trimEnd().replaceAll('\n', '\n ')}\n`;
  const raw = Buffer.from(head + header + tamper(body));
  return (await git.gitBytes(['hash-object', '-t', 'commit', '-w', '--stdin'], raw)).toString().trim();
}
