import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, file, optional, text } from '../../platform/contract/fields.ts'
import { hexColorText } from '../../platform/contract/hex-color.rules.ts'
import { shortText } from '../../platform/contract/text-options.ts'
import { maxAppearanceMessage, maxAppearanceProse } from './appearance.rules.ts'
import { Appearance } from './appearance.schema.ts'

const auth = { on: 'instance', ability: 'administer' } as const
const path = '/application/appearance'
// As existing clients spell it.
const aliases = ['/application/appearence'] as const
const prose = { rules: { maxLength: maxAppearanceProse } }
const message = { rules: { maxLength: maxAppearanceMessage } }

/** How the pages of the server look. */
export const appearanceContract = {
  show: endpoint({
    name: 'application.appearance.show',
    method: 'GET',
    path,
    aliases,
    response: { 200: Appearance },
    auth,
    docs: { summary: 'Show the appearance of the pages' },
  }),
  update: endpoint({
    name: 'application.appearance.update',
    method: 'PUT',
    path,
    aliases,
    body: z.object(
      optional({
        title: text(shortText),
        description: text(prose),
        logo: file(),
        header_logo: file(),
        favicon: file(),
        new_project_guidelines: text(prose),
        profile_image_guidelines: text(prose),
        header_message: text(message),
        footer_message: text(message),
        message_background_color: text(hexColorText),
        message_font_color: text(hexColorText),
        email_header_and_footer_enabled: boolean(),
      }),
    ),
    response: { 200: Appearance },
    auth,
    errors: ['validation_failed'],
    docs: {
      summary: 'Update the appearance of the pages',
      description:
        'Files are images of at most 200 KB; a blank value removes one. A blank color is the ' +
        'default one.',
    },
  }),
}
