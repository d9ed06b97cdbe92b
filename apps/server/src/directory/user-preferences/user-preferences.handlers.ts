import type { UserPreferences, userPreferencesContract } from '@stithy/core'
import {
  findUserPreferences,
  setUserPreferences,
  toFlag,
  type UserPreferencesRow,
} from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'

export const userPreferencesHandlers: Handlers<typeof userPreferencesContract> = {
  async show({ app, caller }) {
    const { id } = requireCaller(caller)
    return present(id, (await findUserPreferences(app.db, id)) ?? defaults)
  },

  async update({ app, caller, body }) {
    const { id: userId } = requireCaller(caller)
    const preferences = {
      viewDiffsFileByFile: toFlag(body.view_diffs_file_by_file),
      showWhitespaceInDiffs: toFlag(body.show_whitespace_in_diffs),
    }
    await app.db.transaction((tx) => setUserPreferences(tx, { userId, ...preferences }))
    return present(userId, preferences)
  },
}

const defaults: UserPreferencesRow = { viewDiffsFileByFile: 0, showWhitespaceInDiffs: 1 }

/** A user has one set of preferences, which has the user's id. */
function present(id: number, row: UserPreferencesRow): UserPreferences {
  return {
    id,
    user_id: id,
    view_diffs_file_by_file: row.viewDiffsFileByFile === 1,
    show_whitespace_in_diffs: row.showWhitespaceInDiffs === 1,
  }
}
