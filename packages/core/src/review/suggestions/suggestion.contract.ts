import { z } from 'zod'
import { Suggestion } from '../../planning/suggestions/suggestion.schema.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer } from '../../platform/contract/fields.ts'

/** Suggested changes in comments on diffs. */
export const suggestionsContract = {
  apply: endpoint({
    name: 'suggestions.apply',
    method: 'PUT',
    path: '/suggestions/:suggestion_id/apply',
    params: z.object({ suggestion_id: integer() }),
    response: { 200: Suggestion },
    auth: { on: 'suggestion', ability: 'apply_suggestion' },
    errors: ['bad_request', 'forbidden', 'not_found'],
    docs: {
      summary: 'Apply a suggestion',
      description:
        'Commits the suggested lines to the source branch of the merge request, to which the ' +
        'caller must be able to push. Returns 400 if the suggestion was applied already, is ' +
        'outdated or changes nothing, if the merge request is not open, or if the file was ' +
        'changed in the meantime. `suggestions` of a comment on a diff gives the ids.',
    },
  }),
}
