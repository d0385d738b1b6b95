/**
 * The Unicode version that brought a character, for every character that an emoji of the list is made of: from each
 * code point (hexadecimal) on until the next. Taken from the Age property of the Unicode character database, which
 * neither JavaScript's regular expressions nor the list of emoji have.
 */
const AGES = `
  23:1.1 2049:3.0 2122:1.1 2139:3.0 2194:1.1 23cf:4.0 23e9:6.0 23f8:7.0 24c2:1.1 25fb:3.2 2600:1.1
  2614:4.0 2618:4.1 261d:1.1 267b:3.2 267e:4.1 26a0:4.0 26a7:4.1 26bd:5.2 26ce:6.0 26cf:5.2 2702:1.1
  2705:6.0 2708:1.1 270a:6.0 270c:1.1 2728:6.0 2733:1.1 274c:6.0 2757:5.2 2763:1.1 2795:6.0 27a1:1.1
  27b0:6.0 2934:3.2 2b05:4.0 2b1b:5.1 2b55:5.2 3030:1.1 303d:3.2 3297:1.1 fe0f:3.2 1f004:5.1
  1f0cf:6.0 1f17f:5.2 1f18e:6.0 1f21a:5.2 1f232:6.0 1f321:7.0 1f32d:8.0 1f330:6.0 1f336:7.0 1f337:6.0
  1f37d:7.0 1f37e:8.0 1f380:6.0 1f396:7.0 1f3a0:6.0 1f3c5:7.0 1f3c6:6.0 1f3cb:7.0 1f3cf:8.0 1f3d4:7.0
  1f3e0:6.0 1f3f3:7.0 1f3f8:8.0 1f400:6.0 1f43f:7.0 1f440:6.0 1f441:7.0 1f442:6.0 1f4f8:7.0 1f4f9:6.0
  1f4fd:7.0 1f4ff:8.0 1f500:6.0 1f549:7.0 1f54b:8.0 1f550:6.0 1f56f:7.0 1f57a:9.0 1f587:7.0 1f5a4:9.0
  1f5a5:7.0 1f5fb:6.0 1f600:6.1 1f601:6.0 1f611:6.1 1f612:6.0 1f615:6.1 1f616:6.0 1f617:6.1 1f618:6.0
  1f619:6.1 1f61a:6.0 1f61b:6.1 1f61c:6.0 1f61f:6.1 1f620:6.0 1f626:6.1 1f628:6.0 1f62c:6.1 1f62d:6.0
  1f62e:6.1 1f630:6.0 1f634:6.1 1f635:6.0 1f641:7.0 1f643:8.0 1f645:6.0 1f6cb:7.0 1f6d0:8.0 1f6d1:9.0
  1f6d5:12.0 1f6d6:13.0 1f6dc:15.0 1f6dd:14.0 1f6e0:7.0 1f6f4:9.0 1f6f7:10.0 1f6f9:11.0 1f6fa:12.0
  1f6fb:13.0 1f7e0:12.0 1f7f0:14.0 1f90c:13.0 1f90d:12.0 1f910:8.0 1f919:9.0 1f91f:10.0 1f920:9.0
  1f928:10.0 1f930:9.0 1f931:10.0 1f933:9.0 1f93f:12.0 1f940:9.0 1f94c:10.0 1f94d:11.0 1f950:9.0
  1f95f:10.0 1f96c:11.0 1f971:12.0 1f972:13.0 1f973:11.0 1f977:13.0 1f979:14.0 1f97a:11.0 1f97b:12.0
  1f97c:11.0 1f980:8.0 1f985:9.0 1f992:10.0 1f998:11.0 1f9a3:13.0 1f9a5:12.0 1f9ab:13.0 1f9ae:12.0
  1f9b0:11.0 1f9ba:12.0 1f9c0:8.0 1f9c1:11.0 1f9c3:12.0 1f9cb:13.0 1f9cc:14.0 1f9cd:12.0 1f9d0:10.0
  1f9e7:11.0 1fa70:12.0 1fa74:13.0 1fa75:15.0 1fa78:12.0 1fa7b:14.0 1fa80:12.0 1fa83:13.0 1fa87:15.0
  1fa90:12.0 1fa96:13.0 1faa9:14.0 1faad:15.0 1fab0:13.0 1fab7:14.0 1fabb:15.0 1fac0:13.0 1fac3:14.0
  1face:15.0 1fad0:13.0 1fad7:14.0 1fada:15.0 1fae0:14.0 1fae8:15.0 1faf0:14.0 1faf7:15.0 e0062:3.1
`;

const ages = AGES.trim()
  .split(/\s+/)
  .map((entry) => {
    const [from = '', version = ''] = entry.split(':');
    return { from: Number.parseInt(from, 16), version: Number(version) };
  });

const VARIATION_SELECTOR = 0xfe0f;

/** The first Unicode version with all characters of an emoji: "6.0". A choice between text and picture does not count. */
export function unicodeVersionOf(emoji: string): string {
  const points = Array.from(emoji, (character) => character.codePointAt(0) ?? 0);
  const versions = points.filter((point) => point !== VARIATION_SELECTOR).map(versionOf);
  return Math.max(...versions).toFixed(1);
}

const versionOf = (point: number): number => ages.findLast(({ from }) => from <= point)?.version ?? 1.1;
