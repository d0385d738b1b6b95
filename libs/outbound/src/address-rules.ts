import ipaddr from 'ipaddr.js';

/** An address that was looked at and may be connected to. */
export interface PinnedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The one block of IPv6 that is given to networks of the internet; whatever else there is leads elsewhere. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** A metadata and platform service of a large cloud that has an ordinary address. */
const PLATFORM_SERVICES = new Set(['168.63.129.16']);

/** Without the brackets that URLs put around IPv6 addresses; null for anything but an address. */
export function addressIn(host: string): PinnedAddress | null {
  const text = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  // A zone index names an interface of this machine, and the short forms of IPv4 are for URL parsers to write out.
  if (text.includes('%') || !(ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)))
    return null;
  return { address: text, family: ipaddr.parse(text).kind() === 'ipv4' ? 4 : 6 };
}

/**
 * Whether an address belongs to the internet at large: not to this machine, a private network, a link, a multicast
 * group, a cloud's metadata service, or to IPv6 forms that carry an IPv4 address (mapped, compatible, NAT64, 6to4,
 * Teredo), which may lead to any of these.
 */
export function isPublic({ address }: PinnedAddress): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || PLATFORM_SERVICES.has(address)) return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}
