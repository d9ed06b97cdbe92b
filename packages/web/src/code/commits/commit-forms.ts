import type { CommitComment } from '@stithy/core'
import type { Form } from '../../platform/forms/form.ts'
import type { FormError } from '../../platform/forms/submit.ts'

/** A form of the page of a commit that was refused. */
export interface RefusedForm {
  form: Form
  formErrors: readonly FormError[]
}

export type RenderedComment = CommitComment & { html: string }
