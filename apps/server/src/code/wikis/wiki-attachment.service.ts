import { randomBytes } from 'node:crypto'
import { DomainError, type WikiAttachment } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import { imageType } from '../../platform/uploads/media-type.ts'
import { uploadFilename } from '../../platform/uploads/upload-filename.ts'
import { withTreeChangeErrors } from '../commits/writes/tree-change-errors.ts'
import { type WikiWriter, writeWiki } from './wiki-write.service.ts'

const mebibyte = 1024 * 1024

/**
 * Commits a file to the wiki of a project.
 * @throws DomainError `payload_too_large`, `bad_request` for a branch that does not exist, `conflict`
 */
export async function attachToWiki(
  app: App,
  writer: WikiWriter,
  { file, branch }: { file: File; branch?: string | undefined },
): Promise<WikiAttachment> {
  if (file.size > app.settings.max_attachment_size * mebibyte)
    throw new DomainError('payload_too_large')
  const name = uploadFilename(file.name)
  const path = `uploads/${randomBytes(16).toString('hex')}/${name}`
  const content = Buffer.from(await file.arrayBuffer())
  const isImage = imageType(content) !== undefined
  const writing = writeWiki(app, writer, {
    branch: branch === '' ? undefined : branch,
    plan: async (wiki) => ({
      changes: [{ kind: 'write', path, content, must: 'be_absent' }],
      message: `Upload attachment ${name}`,
      result: {
        file_name: name,
        file_path: path,
        branch: wiki.branch,
        link: { url: path, markdown: markdownOf(name, path, isImage) },
      },
    }),
  })
  return withTreeChangeErrors(writing)
}

function markdownOf(name: string, url: string, isImage: boolean): string {
  return isImage ? `![${name.replace(/(?<=.)\.[^.]*$/, '')}](${url})` : `[${name}](${url})`
}
