/** Digest of a file's bytes, for its headers. */
export interface FileDigest {
  /** Hexadecimal. */
  sha256: string
  /** Whether it can be shown as text. */
  text: boolean
}

/** A file at a commit, before it is read. */
export interface LocatedFile {
  path: string
  /** Bytes. */
  size: number
  /** The requested ref, or the default branch. */
  ref: string
  blobId: string
  commitId: string
  lastCommitId: string
  /** Six digits. */
  mode: string
}

/** A file at a commit, without its content. */
export interface ResolvedFile extends LocatedFile, FileDigest {}
