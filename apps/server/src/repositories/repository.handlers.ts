import type { repositoryContract } from '@stithy/core'
import type { Handlers } from '../http/call.ts'
import { presentTree } from './repository.presenter.ts'
import { listDirectory } from './repository.service.ts'

export const repositoryHandlers: Handlers<typeof repositoryContract> = {
  async tree({ app, subject, query, page }) {
    const found = await listDirectory(app, subject.row, query, page)
    return { ...found, items: presentTree(found.items) }
  },
}
