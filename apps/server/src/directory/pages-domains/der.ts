/** Where the content of a DER element starts (X.690, section 8.1). */
export function derContentStart(der: Buffer, start: number): number {
  const length = der[start + 1] ?? 0
  return start + 2 + (length < 0x80 ? 0 : length & 0x7f)
}
