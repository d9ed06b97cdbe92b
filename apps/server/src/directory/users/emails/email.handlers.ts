import type { Email, userEmailsContract } from '@stithy/core'
import { type EmailRow, listSecondaryEmails, type PageRequest } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { Handlers } from '../../../platform/http/call.ts'
import { requireCaller } from '../../../platform/http/require-caller.ts'
import { requireHuman } from '../user.service.ts'
import { addEmail, removeEmail, requireEmail } from './email.service.ts'

function presentEmail({ id, email }: EmailRow): Email {
  return { id, email }
}

async function pageOfEmails(app: App, userId: number, page: PageRequest) {
  const found = await listSecondaryEmails(app.db, userId, page)
  return { ...found, items: found.items.map(presentEmail) }
}

export const userEmailHandlers: Handlers<typeof userEmailsContract> = {
  async listOwn({ app, caller, page }) {
    return pageOfEmails(app, requireCaller(caller).id, page)
  },

  async showOwn({ app, caller, params }) {
    const { id: userId } = requireCaller(caller)
    return presentEmail(await requireEmail(app.db, { userId, id: params.email_id }))
  },

  async createOwn({ app, caller, body: { email } }) {
    const { id: userId } = requireCaller(caller)
    return presentEmail(await addEmail(app, { userId, email, by: userId, skipConfirmation: false }))
  },

  async deleteOwn({ app, caller, params }) {
    await removeEmail(app, { userId: requireCaller(caller).id, id: params.email_id })
    return undefined
  },

  async list({ app, params, page }) {
    const { id } = await requireHuman(app, params.id)
    return pageOfEmails(app, id, page)
  },

  async create({ app, caller, params, body }) {
    const { id: userId } = await requireHuman(app, params.id)
    const { email, skip_confirmation: skipConfirmation } = body
    const by = requireCaller(caller).id
    return presentEmail(await addEmail(app, { userId, email, by, skipConfirmation }))
  },

  async delete({ app, params }) {
    const { id: userId } = await requireHuman(app, params.id)
    await removeEmail(app, { userId, id: params.email_id })
    return undefined
  },
}
