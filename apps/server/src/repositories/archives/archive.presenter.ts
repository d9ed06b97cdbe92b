import type { ArchiveFormat } from '@stithy/core'
import { contentDisposition } from '../../http/content-disposition.ts'
import type { FoundArchive } from './found-archive.ts'

const types: Record<ArchiveFormat, string> = {
  tar: 'application/x-tar',
  'tar.gz': 'application/gzip',
  'tar.bz2': 'application/x-bzip2',
  zip: 'application/zip',
}

/** The headers of an archive; a commit always packs to the same files. */
export function archiveHeaders({ format, name }: FoundArchive): Record<string, string> {
  return {
    'content-type': types[format],
    'content-disposition': contentDisposition('attachment', `${name}.${format}`),
    'cache-control': 'max-age=0, private, must-revalidate',
  }
}
