const signatures: readonly (readonly [string, readonly (number | null)[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
  ['image/bmp', [0x42, 0x4d]],
  ['image/tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['image/tiff', [0x4d, 0x4d, 0x00, 0x2a]],
  ['image/x-icon', [0x00, 0x00, 0x01, 0x00]],
]

/** How many of the first bytes of a file tell its type. */
export const imageTypeBytes = 12

/**
 * Detects the media type of a raster image by its first bytes, whatever its name; undefined for
 * other files. SVG is excluded: it can contain scripts.
 */
export function imageType(bytes: Uint8Array): string | undefined {
  return signatures.find(([, signature]) =>
    signature.every((byte, index) => byte === null || bytes[index] === byte),
  )?.[0]
}
