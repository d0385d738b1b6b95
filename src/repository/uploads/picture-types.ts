/** Pictures that browsers draw and that cannot carry scripts: no SVG. */
const PICTURES = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/bmp',
  'image/tiff',
  'image/x-icon',
  'image/webp',
]);

/** Drawn by a browser where it stands; anything else is saved. */
export const isPicture = (contentType: string): boolean => PICTURES.has(contentType);
