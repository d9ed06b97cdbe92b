import type { ArchiveFormat } from '@stithy/core'
import { contentDisposition } from '../../../platform/http/content-disposition.ts'
import type { ResolvedArchive } from './resolved-archive.ts'

const types: Record<ArchiveFormat, string> = {
  tar: 'application/x-tar',
  'tar.gz': 'application/gzip',
  'tar.bz2': 'application/x-bzip2',
  zip: 'application/zip',
}

/** The headers of an archive; a commit always packs to the same files. */
export function archiveHeaders({ format, name }: ResolvedArchive): Record<string, string> {
  return {
    'content-type': types[format],
    'content-disposition': contentDisposition('attachment', `${name}.${format}`),
    'cache-control': 'max-age=0, private, must-revalidate',
  }
}
