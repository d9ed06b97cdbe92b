import type { Row } from '../../platform/schema/schema.ts'

/** A label, of a project or of a group. */
export type LabelRow = Row<'labels'>

/** Columns of a `LabelRow`. */
export const labelColumns = [
  'labels.id',
  'labels.projectId',
  'labels.groupId',
  'labels.title',
  'labels.color',
  'labels.description',
  'labels.createdAt',
  'labels.updatedAt',
] as const

/** A label as embedded in other resources. */
export type LabelRef = Pick<LabelRow, 'id' | 'title' | 'color' | 'description'>

/** Columns of a `LabelRef`. */
export const labelRefColumns = [
  'labels.id',
  'labels.title',
  'labels.color',
  'labels.description',
] as const
