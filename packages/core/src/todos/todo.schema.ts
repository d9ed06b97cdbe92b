/** Why somebody has a todo (catalogue: planning, 5). */
export const todoActions = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
] as const
export type TodoAction = (typeof todoActions)[number]

/** What todos are about. */
export const todoTargetTypes = ['issue', 'merge_request', 'commit', 'epic'] as const
export type TodoTargetType = (typeof todoTargetTypes)[number]
