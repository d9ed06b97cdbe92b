import type { ArchiveFormat } from '@stithy/core'

/** The archive to pack. */
export interface ResolvedArchive {
  format: ArchiveFormat
  /** Name of the file, without its suffix, and of its top-level directory. */
  name: string
  commitId: string
}
