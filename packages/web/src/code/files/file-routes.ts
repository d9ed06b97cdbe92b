import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { showBlame } from './blame-page.ts'
import { showBlob } from './blob-page.ts'
import { deleteFile, showDeleteFile } from './delete-file-page.ts'
import { saveEdit, showEdit } from './edit-page.ts'
import { createFile, showNewFile } from './new-file-page.ts'
import { sendRaw } from './raw-page.ts'
import { replaceFile, showReplace } from './replace-page.ts'
import { showUpload, uploadFile } from './upload-page.ts'

/** To a branch of their own at least. */
const mayCommit = (call: PageCall) => call.permits.commits.create({ projectId: projectPath(call) })

export const fileRoutes = [
  projectPage('blob/*target', showBlob),
  projectPage('raw/*target', sendRaw),
  projectPage('blame/*target', showBlame),
  projectPage('edit/*target', permitted(mayCommit, showEdit)),
  projectAction('edit/*target', saveEdit),
  projectPage('new/*target', permitted(mayCommit, showNewFile)),
  projectAction('new/*target', createFile),
  projectPage('upload/*target', permitted(mayCommit, showUpload)),
  projectAction('upload/*target', uploadFile),
  projectPage('replace/*target', permitted(mayCommit, showReplace)),
  projectAction('replace/*target', replaceFile),
  projectPage('delete/*target', permitted(mayCommit, showDeleteFile)),
  projectAction('delete/*target', deleteFile),
]
