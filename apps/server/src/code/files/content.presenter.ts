import { contentDisposition } from '../../platform/http/content-disposition.ts'
import type { BlobRef } from './blob-ref.ts'

/** A blob, and whether it can be shown as text. */
export interface TypedBlob extends BlobRef {
  text: boolean
}

/** The headers of a blob's raw bytes. A browser must neither run the content nor guess its type. */
export function contentHeaders(
  { oid, size, text }: TypedBlob,
  filename: string,
): Record<string, string> {
  return {
    etag: `"${oid}"`,
    'content-type': text ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    'content-length': String(size),
    'content-disposition': contentDisposition(text ? 'inline' : 'attachment', filename),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  }
}
