type Signature = readonly [string, readonly (number | null)[]]

/** The bytes of ASCII text. */
function ascii(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0))
}

const any4 = [null, null, null, null]

const images: readonly Signature[] = [
  ['image/png', [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/gif', ascii('GIF8')],
  ['image/webp', [...ascii('RIFF'), ...any4, ...ascii('WEBP')]],
  ['image/bmp', ascii('BM')],
  ['image/tiff', [...ascii('II*'), 0]],
  ['image/tiff', [...ascii('MM'), 0, ...ascii('*')]],
  ['image/x-icon', [0, 0, 1, 0]],
]

const recordings: readonly Signature[] = [
  ['video/webm', [0x1a, 0x45, 0xdf, 0xa3]],
  ['video/mp4', [...any4, ...ascii('ftypiso')]],
  ['video/mp4', [...any4, ...ascii('ftypmp4')]],
  ['application/ogg', ascii('OggS')],
  ['audio/mpeg', ascii('ID3')],
  ['audio/wav', [...ascii('RIFF'), ...any4, ...ascii('WAVE')]],
  ['audio/flac', ascii('fLaC')],
]

/** How many of the first bytes of a file tell its type. */
export const mediaTypeBytes = 12

/**
 * Detects the media type of a raster image by its first bytes, whatever its name; undefined for
 * other files. SVG is excluded: it can contain scripts.
 */
export function imageType(bytes: Uint8Array): string | undefined {
  return typeBy(images, bytes)
}

/** `imageType`, which also knows audio and video. */
export function mediaType(bytes: Uint8Array): string | undefined {
  return typeBy(images, bytes) ?? typeBy(recordings, bytes)
}

function typeBy(signatures: readonly Signature[], bytes: Uint8Array): string | undefined {
  return signatures.find(([, signature]) =>
    signature.every((byte, index) => byte === null || bytes[index] === byte),
  )?.[0]
}
