import { DomainError, notFound, type ProjectUpload } from '@stithy/core'
import { findProject, findSettings } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { imageType, mediaTypeBytes } from '../../platform/uploads/media-type.ts'
import { removeUpload, saveUpload, type UploadKey } from '../../platform/uploads/upload-files.ts'

const mebibyte = 1024 * 1024

/** Default of the setting `max_attachment_size`, in MiB. */
const defaultMaxSize = 10

/**
 * Stores a file for the texts of a project.
 * @throws DomainError `payload_too_large`, `not_found` if the project is being deleted
 */
export async function uploadFile(app: App, projectId: number, file: File): Promise<ProjectUpload> {
  if (file.size > (await maxAttachmentSize(app))) throw new DomainError('payload_too_large')
  const key = await saveUpload(app.config, projectId, file)
  // The job that deletes the files of a project runs when the project is hidden.
  if ((await findProject(app.db, { id: projectId })) === undefined) {
    await removeUpload(app.config, projectId, key)
    throw notFound('Project')
  }
  const isImage = imageType(await file.slice(0, mediaTypeBytes).bytes()) !== undefined
  return presentUpload(key, isImage)
}

/** In bytes. */
async function maxAttachmentSize(app: App): Promise<number> {
  const { max_attachment_size: size } = await findSettings(app.db, ['max_attachment_size'])
  return (typeof size === 'number' ? size : defaultMaxSize) * mebibyte
}

function presentUpload({ secret, filename }: UploadKey, isImage: boolean): ProjectUpload {
  const url = `/uploads/${secret}/${filename}`
  const alt = isImage ? filename.replace(/(?<=.)\.[^.]*$/, '') : filename
  return { alt, url, markdown: `${isImage ? '!' : ''}[${alt}](${url})` }
}
