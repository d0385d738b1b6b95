import type { GitService } from '../git';

/** The Git-Protocol header as we pass it on: version first, then plain "key=value" items. */
const PROTOCOL = /^version=[012](?::[A-Za-z0-9][A-Za-z0-9._-]*(?:=[A-Za-z0-9._-]*)?)*$/;
const LONGEST_PROTOCOL = 256;

/** The environment that tells git which protocol the client speaks; empty for none or one we do not understand. */
export function protocolEnvironment(protocol: string | null): Record<string, string> {
  if (protocol === null || protocol.length > LONGEST_PROTOCOL || !PROTOCOL.test(protocol)) return {};
  return { GIT_PROTOCOL: protocol };
}

/**
 * What precedes git's own advertisement over HTTP: "# service=…" and a flush packet. Protocol version 2 has none.
 * Pushes do not exist in version 2; git then answers as if no version had been asked for, banner included.
 */
export function serviceBanner(service: GitService, environment: Readonly<Record<string, string>>): Buffer {
  if (service === 'git-upload-pack' && asksForVersion2(environment['GIT_PROTOCOL'] ?? ''))
    return Buffer.alloc(0);
  return Buffer.concat([packetLine(`# service=${service}\n`), Buffer.from('0000')]);
}

/** One packet of git's wire format: four hexadecimal digits of length (themselves included), then the text. */
export function packetLine(text: string): Buffer {
  const body = Buffer.from(text);
  const length = (body.length + 4).toString(16).padStart(4, '0');
  return Buffer.concat([Buffer.from(length), body]);
}

/** git takes the highest of the versions it is offered. */
function asksForVersion2(protocol: string): boolean {
  return protocol.split(':').includes('version=2');
}
