/** What the headers of a file say about its bytes. */
export interface FileDigest {
  /** Hexadecimal. */
  sha256: string
  /** Whether it can be shown as text. */
  text: boolean
}

/** A file at a commit, without its content. */
export interface FoundFile extends FileDigest {
  path: string
  /** Bytes. */
  size: number
  /** As it was sent, or the default branch. */
  ref: string
  blobId: string
  commitId: string
  lastCommitId: string
}
