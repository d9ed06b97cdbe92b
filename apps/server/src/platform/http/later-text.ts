/**
 * A long text of a response that is read when it is written, so that a page of them is never in
 * memory at once. It is shown as null if it is gone by then.
 */
export class LaterText {
  /**
   * In UTF-8; NaN if the text may change while its length, and all else in the response, stays: then
   * the response has no entity tag.
   */
  readonly bytes: number
  readonly read: () => Promise<string | null>

  constructor(bytes: number, read: () => Promise<string | null>) {
    this.bytes = bytes
    this.read = read
  }

  /** Whatever writes a response in one go would leave the text out. */
  toJSON(): never {
    throw new TypeError('A text that is read later can only be written by encodeLongJson')
  }
}

/** A text that is read later, with the type that clients get. @param bytes as in `LaterText` */
export function laterText(bytes: number, read: () => Promise<string | null>): string {
  return new LaterText(bytes, read) as unknown as string
}
