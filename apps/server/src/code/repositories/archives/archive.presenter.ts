import { archiveContentTypes } from '@stithy/core'
import { contentDisposition } from '../../../platform/http/content-disposition.ts'
import type { ResolvedArchive } from './resolved-archive.ts'

/** The headers of an archive; a commit always packs to the same files. */
export function archiveHeaders({ format, name }: ResolvedArchive): Record<string, string> {
  return {
    'content-type': archiveContentTypes[format],
    'content-disposition': contentDisposition('attachment', `${name}.${format}`),
  }
}
