/** A blob that is known to exist. */
export interface BlobRef {
  oid: string
  /** Bytes. */
  size: number
}
