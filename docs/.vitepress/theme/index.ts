// VitePress's own theme without its fonts, with the form of the reference's pages, and code that names this gateway.
import type { Theme } from 'vitepress'
import Base from 'vitepress/theme-without-fonts'
import { nextTick, onMounted, watch } from 'vue'
import { useRoute } from 'vitepress'
import { nameGroups } from './access.ts'
import { keepChoice } from './choice.ts'
import { sayOrigin } from './origin.ts'
import './style.css'
import TryIt from './TryIt.vue'

const theme: Theme = {
  extends: Base,
  enhanceApp: ({ app }) => {
    app.component('TryIt', TryIt)
  },
  setup: () => {
    const route = useRoute()
    const settle = () =>
      nextTick(() => {
        sayOrigin(document.body, window.location.origin)
        nameGroups(document.body)
        keepChoice(document.body)
      })
    onMounted(settle)
    watch(() => route.path, settle)
  },
}

export default theme
