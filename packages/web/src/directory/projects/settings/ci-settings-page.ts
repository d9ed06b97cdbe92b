import { gitStrategies, type Project } from '@stithy/core'
import { card } from '../../../platform/design/card.ts'
import {
  checkbox,
  csrfField,
  selectField,
  textField,
} from '../../../platform/design/form-fields.ts'
import {
  type FailedForm,
  FormView,
  fieldIds,
  numberErrors,
} from '../../../platform/forms/form-view.ts'
import { submit } from '../../../platform/forms/submit.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../../platform/pages/reply.ts'
import { loadManagedProject, settingsAddress, settingsPage } from './settings-page.ts'

const formName = 'ci'

/** `GET /<project>/-/settings/ci_cd`. */
export function showCiSettings(call: PageCall): Promise<Reply> {
  return ciSettings(call)
}

async function ciSettings(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const project = await loadManagedProject(call)
  return settingsPage({
    call,
    project,
    current: 'ci_cd',
    failed,
    body: card({ title: 'Pipelines', body: ciForm(call, project, failed) }),
  })
}

const numbers = {
  ci_default_git_depth: 'Commits that jobs fetch',
  build_timeout: 'Seconds that a job may take',
} as const

const strategies = [
  { value: 'fetch', text: 'Fetch into the folder of the job before' },
  { value: 'clone', text: 'Clone for each job' },
]

function ciForm(call: PageCall, project: Project, failed: FailedForm | undefined): Html {
  const view = new FormView(formName, failed)
  return html`<form method="post" action="${settingsAddress(project.path_with_namespace, 'ci_cd')}">
${csrfField(call)}
${textField({ ...view.text('ci_config_path', project.ci_config_path), label: 'Path of the configuration', hint: 'In the repository; the default, if this is empty.' })}
<div class="pair">${selectField({ ...view.text('build_git_strategy', project.build_git_strategy), label: 'How jobs get the code', options: strategies })}
${textField({ ...view.text('ci_default_git_depth', project.ci_default_git_depth), label: numbers.ci_default_git_depth, type: 'number', hint: '0 for all.' })}
${textField({ ...view.text('build_timeout', project.build_timeout), label: numbers.build_timeout, type: 'number', hint: 'At least 600.' })}</div>
${textField({ ...view.text('build_coverage_regex', project.build_coverage_regex), label: 'Pattern of the coverage', hint: 'A regular expression that finds it in the log of a job.' })}
${checkbox({ ...view.check('public_builds', project.public_jobs), label: 'Whoever sees the project sees its pipelines' })}
${checkbox({ ...view.check('auto_cancel_pending_pipelines', project.auto_cancel_pending_pipelines === 'enabled'), label: 'A push cancels pending pipelines of its branch' })}
${checkbox({ ...view.check('shared_runners_enabled', project.shared_runners_enabled), label: 'Shared runners take jobs' })}
<div class="buttons"><button class="primary">Save pipelines</button></div>
</form>`
}

/** `POST /<project>/-/settings/ci_cd`. */
export async function saveCiSettings(call: PageCall): Promise<Reply> {
  const { client, form, params } = call
  const projectId = params.project ?? ''
  const wrong = numberErrors(formName, form, numbers)
  if (wrong.length > 0) return ciSettings(call, { name: formName, form, formErrors: wrong })
  const strategy = form.word('build_git_strategy', gitStrategies)
  const cancels = form.isChecked('auto_cancel_pending_pipelines')
  const saved = await submit(
    client.projects.update({
      projectId,
      ci_config_path: form.text('ci_config_path').trim(),
      build_coverage_regex: form.text('build_coverage_regex'),
      public_builds: form.isChecked('public_builds'),
      shared_runners_enabled: form.isChecked('shared_runners_enabled'),
      auto_cancel_pending_pipelines: cancels ? 'enabled' : 'disabled',
      ci_default_git_depth: form.number('ci_default_git_depth') ?? 0,
      build_timeout: form.number('build_timeout') ?? 0,
      ...(strategy !== undefined && { build_git_strategy: strategy }),
    }),
    fieldIds(formName, [
      'ci_config_path',
      'build_coverage_regex',
      'ci_default_git_depth',
      'build_timeout',
    ]),
  )
  if (saved.ok) return redirect(settingsAddress(projectId, 'ci_cd'))
  return ciSettings(call, { name: formName, form, formErrors: saved.formErrors })
}
