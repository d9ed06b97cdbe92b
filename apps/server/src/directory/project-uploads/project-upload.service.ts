import { DomainError, notFound, type ProjectUpload } from '@stithy/core'
import { findProject } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { imageType, mediaTypeBytes } from '../../platform/uploads/media-type.ts'
import { removeUpload, saveUpload, type UploadKey } from '../../platform/uploads/upload-files.ts'

const mebibyte = 1024 * 1024

/**
 * Stores a file for the texts of a project.
 * @throws DomainError `payload_too_large`, `not_found` if the project is being deleted
 */
export async function uploadFile(app: App, projectId: number, file: File): Promise<ProjectUpload> {
  if (file.size > app.settings.max_attachment_size * mebibyte)
    throw new DomainError('payload_too_large')
  const key = await saveUpload(app.config, projectId, file)
  // The job that deletes the files of a project runs when the project is hidden.
  if ((await findProject(app.db, { id: projectId })) === undefined) {
    await removeUpload(app.config, projectId, key)
    throw notFound('Project')
  }
  const isImage = imageType(await file.slice(0, mediaTypeBytes).bytes()) !== undefined
  return presentUpload(key, isImage)
}

function presentUpload({ secret, filename }: UploadKey, isImage: boolean): ProjectUpload {
  const url = `/uploads/${secret}/${filename}`
  const alt = isImage ? filename.replace(/(?<=.)\.[^.]*$/, '') : filename
  return { alt, url, markdown: `${isImage ? '!' : ''}[${alt}](${url})` }
}
