import { addressIn, isPublic } from './address-rules';
import type { UrlRefusal } from './outbound-error';
import type { OutboundOptions } from './outbound-options';

const MOST_CHARACTERS = 2048;

/** What a URL parser drops or turns around without a word, so that two programs may see two hosts in one text. */
const AMBIGUOUS = /[\s\p{Cc}\\]|\p{Surrogate}/u;

/** Names that mean this machine or a cloud's metadata service wherever they are asked for. */
const LOCAL_NAMES =
  /^(?:(?:.+\.)?(?:localhost|localdomain|ip6-localhost|ip6-loopback)|metadata\.google\.internal|metadata)$/;

/** Ports of other protocols, which browsers keep away from ("port blocking" of the Fetch standard). */
const BLOCKED_PORTS = new Set(
  [
    [
      0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
      104,
    ],
    [109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515],
    [526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049],
    [3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
  ]
    .flat()
    .map(String),
);

/** Why the URL is not called, null for one that may be; asks no name server. */
export function refusalOf(text: string, options: OutboundOptions): UrlRefusal | null {
  if (text.length > MOST_CHARACTERS || AMBIGUOUS.test(text) || !/^[a-z][a-z0-9+.-]*:/i.test(text))
    return 'malformed';
  if (!/^https?:/i.test(text)) return 'scheme';
  // "http:host" and "http:///host" are hosts to browsers and paths to others.
  if (!/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (BLOCKED_PORTS.has(url.port)) return 'port';
  if (url.hostname === '') return 'malformed';
  if (!options.allowLocal && isLocal(url.hostname)) return 'host';
  return areCredentialsReadable(url) ? null : 'header';
}

/** The parser has written decimal, octal, hexadecimal and full-width addresses out as dotted ones by now. */
function isLocal(host: string): boolean {
  const address = addressIn(host);
  return address ? !isPublic(address) : LOCAL_NAMES.test(host.replace(/\.+$/, '').toLowerCase());
}

function areCredentialsReadable({ username, password }: URL): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(username) + decodeURIComponent(password));
  } catch {
    return false;
  }
}
