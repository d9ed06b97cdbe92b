import type { Form } from '../../platform/forms/form.ts'

/** The picture of a form: a new one, none, or what there is. */
export function chosenAvatar(form: Form): { avatar?: File | '' } {
  const file = form.file('avatar')
  if (file !== undefined) return { avatar: file }
  return form.isChecked('remove_avatar') ? { avatar: '' } : {}
}
