// What the areas of developers are called: read with the menu, before any of their screens.
import { bilingual } from '../words/bilingual.ts'

export const TITLES = {
  keys: bilingual({ title: 'API keys' }, { title: 'Mga API key' }),
  webhooks: bilingual({ title: 'Webhooks' }, { title: 'Mga webhook' }),
  events: bilingual({ title: 'Events' }, { title: 'Mga event' }),
  requests: bilingual({ title: 'Requests' }, { title: 'Mga request' }),
  sandbox: bilingual({ title: 'Sandbox' }, { title: 'Sandbox' }),
}
