// One page for each operation of the OpenAPI document.
import { placesOf, readDocument } from '../.vitepress/reference/document.ts'
import { operationPage, trialOf } from '../.vitepress/reference/page.ts'

const document = readDocument()

export default {
  paths: () =>
    placesOf(document).map((place) => ({
      params: { operation: place.slug, trial: JSON.stringify(trialOf(document, place)) },
      content: operationPage(document, place),
    })),
}
