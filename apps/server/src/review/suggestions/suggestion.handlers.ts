import type { suggestionsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { applySuggestion } from './suggestion-apply.service.ts'

export const suggestionHandlers: Handlers<typeof suggestionsContract> = {
  async apply({ app, caller, subject, signal }) {
    return applySuggestion(app, caller, subject, signal())
  },
}
