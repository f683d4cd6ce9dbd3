// What the area is called: read with the menu, before any of its screens.
import { bilingual } from '../words/bilingual.ts'

export const TITLE = bilingual({ title: 'Schedules' }, { title: 'Mga iskedyul' })
