import type { Project } from '@stithy/core'
import { card } from '../../../platform/design/card.ts'
import {
  errorSummary,
  type Option,
  selectField,
  textField,
} from '../../../platform/design/form-fields.ts'
import type { FormError } from '../../../platform/forms/submit.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { RequestBranches, RequestProjects } from './request-branches.ts'

interface Choice {
  /** Path of the page. */
  path: string
  branches: RequestBranches
  projects: RequestProjects
  /** Names of branches, by the id of their project. */
  known: ReadonlyMap<number, readonly string[]>
  formErrors: readonly FormError[]
}

/** The first step of a new merge request: which branch goes into which. */
export function chooseBranches({ path, branches, projects, known, formErrors }: Choice): Html {
  const { source, target, sourceBranch, targetBranch } = branches
  const namesOf = ({ id }: Project) => known.get(id) ?? []
  return html`${errorSummary(formErrors)}
<form action="${path}">
<div class="halves">
${card({
  title: 'Source branch',
  body: html`${projectField('source', projects.sources, source)}
${branchField('source', sourceBranch, namesOf(source), formErrors)}`,
})}
${card({
  title: 'Target branch',
  body: html`${projectField('target', projects.targets, target)}
${branchField('target', targetBranch, namesOf(target), formErrors)}`,
})}
</div>
<div class="buttons"><button class="primary">Compare branches and continue</button></div>
</form>`
}

type Side = 'source' | 'target'

function projectField(side: Side, projects: readonly Project[], chosen: Project): Html {
  const options = projects.map(
    ({ id, path_with_namespace: text }): Option => ({ value: String(id), text }),
  )
  return selectField({
    id: `${side}_project_id`,
    name: `merge_request[${side}_project_id]`,
    label: 'Project',
    options,
    value: String(chosen.id),
  })
}

/** A text, since a project may have any number of branches; the first hundred are suggested. */
function branchField(
  side: Side,
  value: string,
  suggestions: readonly string[],
  formErrors: readonly FormError[],
): Html {
  const id = `${side}_branch`
  const name = `merge_request[${id}]`
  return textField({
    id,
    name,
    label: 'Branch',
    value,
    suggestions,
    required: true,
    maxLength: 255,
    formErrors,
  })
}
