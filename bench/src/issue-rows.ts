import { member } from './data/measured.ts'
import { commonFilters, itemRows } from './item-rows.ts'

/** Lists of issues. */
export const issueRows = itemRows('issues', {
  ...commonFilters,
  'author-name': `author_username=${member.username}`,
  'assignee-name': `assignee_username=${member.username}`,
  weight: 'weight=3',
  'no-weight': 'weight=None',
  'any-weight': 'weight=Any',
  iids: `iids=${Array.from({ length: 20 }, (_, index) => index + 1).join()}`,
  confidential: 'confidential=true',
  open: 'confidential=false',
})
