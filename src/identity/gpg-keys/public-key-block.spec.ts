import {
  config,
  enums,
  generateKey,
  PacketList,
  PublicKey,
  revokeKey,
  SignaturePacket,
  UserIDPacket,
  type AnyPacket,
  type PrivateKey,
} from 'openpgp';
import { newSigningKey } from '../../../test/support/signed-commits';
import { readPublicKeyBlock } from './public-key-block';

const MALFORMED = {
  errors: {
    key: [
      "is invalid. A valid public GPG key begins with '-----BEGIN PGP PUBLIC KEY BLOCK-----' and ends with '-----END PGP PUBLIC KEY BLOCK-----'",
    ],
  },
};

let key: PrivateKey;
let armored: string;
beforeAll(async () => {
  key = await newSigningKey({ emails: ['ann@example.com', 'ann@work.example'], subkeys: [{ sign: true }] });
  armored = key.toPublic().armor().trim();
});

const idsOf = (found: PrivateKey): string[] => found.getKeyIDs().map((id) => id.toHex().toUpperCase());
const packets = (...lists: readonly AnyPacket[][]): PacketList<AnyPacket> => {
  const all = new PacketList<AnyPacket>();
  all.push(...lists.flat());
  return all;
};

async function read(text: string) {
  const block = await readPublicKeyBlock(text);
  if ('errors' in block) throw new Error(JSON.stringify(block.errors));
  return block;
}

describe('a public key block', () => {
  it('tells its ids, and for whom it speaks', async () => {
    const [keyId, subkeyId] = idsOf(key);
    expect(await read(`\n${armored}\r\n`)).toEqual({
      text: armored,
      fingerprint: key.getFingerprint().toUpperCase(),
      keyId,
      subkeyIds: [subkeyId],
      userIds: [
        { name: 'Ann', email: 'ann@example.com' },
        { name: 'Ann', email: 'ann@work.example' },
      ],
    });
  });

  it('may have line ends of any kind', async () => {
    const { fingerprint } = await read(armored.replaceAll('\r', '').replaceAll('\n', '\r\n'));
    expect(fingerprint).toBe(key.getFingerprint().toUpperCase());
  });

  it('may be expired or revoked', async () => {
    const expired = await newSigningKey({
      emails: ['ann@example.com'],
      subkeys: [{ sign: true }],
      lifetime: 60,
      createdAt: new Date(Date.now() - 3_600_000),
    });
    expect(await read(expired.toPublic().armor())).toMatchObject({ subkeyIds: [idsOf(expired)[1]] });
    const { publicKey } = await revokeKey({ key, format: 'object' });
    expect(await read(publicKey.armor())).toMatchObject({ subkeyIds: [idsOf(key)[1]] });
  });

  it('knows subkeys that sign alone', async () => {
    const { publicKey } = await generateKey({ userIDs: [{ email: 'ann@example.com' }], format: 'armored' });
    expect((await read(publicKey)).subkeyIds).toEqual([]);
  });

  it('does not speak for somebody whom others have put there', async () => {
    const [primary, ...rest] = key.toPublic().toPacketList();
    const forged = UserIDPacket.fromObject({ name: 'Mallory', email: 'mallory@example.com' });
    const changed = new PublicKey(packets(primary ? [primary] : [], rest, [forged]));
    expect((await read(changed.armor())).userIds).toHaveLength(2);
  });

  it('has no subkey of somebody else, however it is bound', async () => {
    const mallory = await newSigningKey({ emails: ['mallory@example.com'] });
    const [stolen] = key.toPublic().getSubkeys();
    if (!stolen || !mallory.isPrivate()) throw new Error('the key has a subkey');
    const binding = new SignaturePacket();
    binding.signatureType = enums.signature.subkeyBinding;
    binding.publicKeyAlgorithm = mallory.keyPacket.algorithm;
    binding.hashAlgorithm = enums.hash.sha512;
    binding.keyFlags = Uint8Array.of(enums.keyFlags.signData);
    const bound = { key: mallory.keyPacket, bind: stolen.keyPacket };
    // The library signs objects too; its types know bytes alone.
    await Reflect.apply(binding.sign, binding, [mallory.keyPacket, bound, new Date(), false, config]);
    const own = mallory.toPublic().toPacketList();
    for (const signature of [binding, ...stolen.bindingSignatures]) {
      const thief = new PublicKey(packets([...own], [stolen.keyPacket, signature]));
      expect(thief.getSubkeys()).toHaveLength(1);
      expect((await read(thief.armor())).subkeyIds).toEqual([]);
    }
  });

  it.each([
    ['nothing', () => ''],
    ['words', () => 'not a key'],
    ['a private key', () => key.armor()],
    ['a private key under another name', () => key.armor().replaceAll('PRIVATE KEY', 'PUBLIC KEY')],
    ['two blocks', () => `${armored}\n${armored}`],
    ['a block and a private key', () => `${armored}\n${key.armor()}\n${armored}`],
    ['two keys in one block', () => new TwoKeys(key).armor()],
    ['half a block', () => armored.slice(0, armored.length / 2)],
    ['an empty block', () => '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n-----END PGP PUBLIC KEY BLOCK-----'],
    ['nonsense in a block', () => armored.replace(/\n\n[^]*\n-----END/, '\n\n!!!!\n-----END')],
    ['text before it', () => `x ${armored}`],
    ['the type of a message', () => armored.replaceAll('PUBLIC KEY BLOCK', 'MESSAGE')],
  ])('is refused as %s', async (_what, text) => {
    expect(await readPublicKeyBlock(text())).toEqual(MALFORMED);
  });

  it('is refused when it is endless', async () => {
    expect(await readPublicKeyBlock(armored.replace('\n\n', `\n\n${'A'.repeat(200_000)}`))).toEqual({
      errors: { key: ['is too long (maximum is 200000 characters)'] },
    });
  });
});

/** Armors its packets twice over, as `gpg --export` does for several keys. */
class TwoKeys extends PublicKey {
  constructor(of: PrivateKey) {
    super(of.toPublic().toPacketList());
  }

  override toPacketList() {
    const once = super.toPacketList();
    once.push(...super.toPacketList());
    return once;
  }
}
