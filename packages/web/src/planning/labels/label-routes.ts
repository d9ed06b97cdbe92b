import { type PageCall, parentOf } from '../../platform/pages/page-call.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import { projectAndGroupRoutes } from '../../platform/routing/route.ts'
import {
  createLabel,
  labelAction,
  showEditLabel,
  showNewLabel,
  updateLabel,
} from './label-form-page.ts'
import { showLabels } from './label-list-page.ts'

const mayCreate = (call: PageCall) => call.permits.labels.create(parentOf(call))
const mayUpdate = (call: PageCall) =>
  call.permits.labels.update({ ...parentOf(call), labelId: call.params.label ?? '' })

export const labelRoutes = projectAndGroupRoutes((page, action) => [
  page('labels', showLabels),
  page('labels/new', permitted(mayCreate, showNewLabel)),
  action('labels', createLabel),
  page('labels/:label/edit', permitted(mayUpdate, showEditLabel)),
  action('labels/:label', updateLabel),
  action('labels/:label/subscribe', labelAction('subscribe')),
  action('labels/:label/unsubscribe', labelAction('unsubscribe')),
  action('labels/:label/promote', labelAction('promote')),
  action('labels/:label/delete', labelAction('remove')),
])
