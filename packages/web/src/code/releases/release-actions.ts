import { type Submission, submit } from '../../platform/forms/submit.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { editPage, newPage } from './release-pages.ts'

const fields = {
  tag_name: 'tag_name',
  ref: 'ref',
  name: 'name',
  description: 'description',
}
const linkFields = { name: 'link-name', url: 'link-url' }

/** `POST /<project>/-/releases`: creates, changes or deletes a release, or a link of one. */
export async function changeRelease(call: PageCall): Promise<Reply> {
  const { form, params } = call
  const project = params.project ?? ''
  const tag = form.text('tag_name').trim()
  const intent = form.text('intent')
  const done = await apply(call, intent, tag)
  if (!done.ok) {
    const state = { form, formErrors: done.formErrors }
    return intent === 'create' ? newPage(call, state) : editPage(call, tag, state)
  }
  if (intent === 'delete') return redirect(projectAddress(project, 'releases'))
  const isLink = intent === 'add_link' || intent === 'delete_link'
  return redirect(projectAddress(project, 'releases', tag, ...(isLink ? ['edit'] : [])))
}

function apply(
  { client, form, params }: PageCall,
  intent: string,
  tag: string,
): Promise<Submission<unknown>> {
  const one = { projectId: params.project ?? '', tagName: tag }
  const texts = { name: form.text('name'), description: form.text('description') }
  switch (intent) {
    case 'delete':
      return submit(client.releases.delete(one))
    case 'add_link': {
      const link = { name: form.text('link-name'), url: form.text('link-url') }
      return submit(client.releases.links.create({ ...one, ...link }), linkFields)
    }
    case 'delete_link': {
      const linkId = form.number('link_id') ?? 0
      return submit(client.releases.links.delete({ ...one, linkId }))
    }
    case 'update':
      return submit(client.releases.update({ ...one, ...texts }), fields)
    default: {
      const ref = form.optionalText('ref')
      const name = form.optionalText('name')
      return submit(
        client.releases.create({
          projectId: one.projectId,
          tag_name: tag,
          description: texts.description,
          ...(ref === undefined ? {} : { ref }),
          ...(name === undefined ? {} : { name }),
        }),
        fields,
      )
    }
  }
}
