import type { ArchiveFormat } from '@stithy/core'

/** What is to be packed. */
export interface FoundArchive {
  format: ArchiveFormat
  /** Of the file, without its suffix, and of the one directory in it. */
  name: string
  commitId: string
}
