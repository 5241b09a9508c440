"use strict";
(() => {
  const { values, steps } = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  // An element by its id, which begins with that of its file; the code of other files than the first is text until then.
  const find = (id) => {
    const held = byId(/^f\d+/.exec(id)?.[0])?.querySelector(":scope > script");
    if (held) held.outerHTML = held.textContent;
    return byId(id);
  };
  const root = document.documentElement;
  const code = byId("code");
  const tip = byId("tip");
  const inspector = byId("inspector");
  const cards = [...document.querySelectorAll(".findings a")].map((link) => link.hash.slice(1));
  const CLASSES = { traced: "t", static: "s", unknown: "u" };

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  // What is known of an expression: its text, binding time, abstract value, and the chain that made it so.
  const known = (expression) => {
    const [binding, text, chain, sometimesUnknown] = values[Number(expression.dataset.v)];
    return { binding, text, sometimesUnknown, chain: chain.map((number) => steps[number]) };
  };
  const describe = (expression, links) => {
    const { binding, text, sometimesUnknown, chain } = known(expression);
    const value = text.startsWith(binding) ? text.slice(binding.length).trim() : text;
    const parts = [
      element("div", { className: "state" },
        element("b", { className: CLASSES[binding], textContent: binding }), element("code", { textContent: value }),
        ...(sometimesUnknown ? [element("small", { textContent: "not known in every call" })] : [])),
    ];
    if (chain.length) {
      parts.push(element("ol", { className: "chain" }, ...chain.map(([message, target, place]) =>
        element("li", {}, target && links ? element("a", { href: "#" + target, textContent: place }) : place, " " + message))));
    }
    return parts;
  };
  const spoken = (expression) => {
    const { text, binding, chain } = known(expression);
    const value = text.startsWith(binding) ? text : `${binding}: ${text}`;
    return [textOf(expression), value, ...chain.map(([message, , place]) => `${message}, ${place}`)].join("; ");
  };

  // The expression that is shown: pointed at, or walked to with the keys.
  let current = null;
  const partsOf = (expression) => {
    const { v, whole } = expression.dataset;
    return whole ? [...expression.closest(".file").querySelectorAll(`[data-v="${v}"][data-whole="${whole}"]`)] : [expression];
  };
  const textOf = (expression) => partsOf(expression).map((part) => part.textContent).join("");
  const show = (expression, { speak = false } = {}) => {
    if (current && current !== expression) leave(current);
    current = expression;
    partsOf(expression).forEach((part) => part.classList.add("at"));
    inspector.replaceChildren(element("div", { className: "subject", textContent: textOf(expression) }), ...describe(expression, true));
    tip.replaceChildren(...describe(expression, false));
    tip.hidden = false;
    const box = expression.getClientRects()[0];
    const below = box.bottom + 8 + tip.offsetHeight < innerHeight;
    tip.style.top = `${scrollY + (below ? box.bottom + 8 : box.top - 8 - tip.offsetHeight)}px`;
    tip.style.left = `${Math.max(8, Math.min(scrollX + box.left, scrollX + root.clientWidth - tip.offsetWidth - 8))}px`;
    if (speak) byId("spoken").textContent = spoken(expression);
  };
  const leave = (expression) => {
    for (const part of partsOf(expression)) part.classList.remove("at");
  };
  const hideTip = () => { tip.hidden = true; };

  let pointer = ""; // where it was: when the page moves below it, nobody has pointed at anything
  code.addEventListener("pointerover", (event) => {
    const place = `${event.clientX} ${event.clientY}`;
    if (place === pointer) return;
    pointer = place;
    const expression = event.target.closest("[data-v]");
    if (expression) show(expression); else hideTip();
  });
  code.addEventListener("pointermove", (event) => { pointer = `${event.clientX} ${event.clientY}`; });
  code.addEventListener("pointerleave", hideTip);
  addEventListener("scroll", () => { if (!code.contains(document.activeElement)) hideTip(); }, { passive: true });

  // Along the provenance: from an expression to the step before it.
  const cause = (expression) => {
    const targets = known(expression).chain.map(([, target]) => target).filter((target) => target && find(target));
    const here = targets.findIndex((target) => byId(target) === expression);
    return targets[here < 0 ? targets.length - 1 : here - 1];
  };
  const goTo = (id) => {
    if (location.hash === "#" + id) arrive(); else location.hash = id;
  };
  const follow = (expression) => {
    const target = cause(expression);
    if (target) goTo(target); else byId("spoken").textContent = "This is where the value comes from.";
  };
  code.addEventListener("click", (event) => {
    const expression = event.target.closest("[data-v]");
    if (expression && getSelection().isCollapsed) follow(expression);
  });

  // Arriving somewhere: its file is shown, it is focused, and says what it is.
  const arrive = () => {
    const target = find(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    hideTip();
    const section = target.closest(".file") || byId(target.closest("[data-of]")?.dataset.of);
    if (section) {
      for (const part of document.querySelectorAll("[data-of]")) part.hidden = part.dataset.of !== section.id;
      for (const other of document.querySelectorAll(".file")) other.hidden = other !== section;
      for (const link of document.querySelectorAll("nav a")) {
        if (link.hash === "#" + section.id) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
      }
    }
    for (const link of document.querySelectorAll(".findings a")) {
      if (link.hash === location.hash) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    }
    if (target.tagName === "DETAILS") target.open = true;
    const expression = target.matches("[data-v]") ? target : null;
    target.scrollIntoView({ block: expression || target.matches(".l") ? "center" : "nearest" });
    if (expression) {
      expression.classList.remove("cause");
      void expression.offsetWidth; // so that the animation starts again
      expression.classList.add("cause");
      focus(expression);
    } else if (target.matches(".card")) {
      target.focus({ preventScroll: true });
    }
  };
  addEventListener("hashchange", arrive);

  // Walking through the expressions: one of them at a time can be focused.
  const expressions = () => [...code.querySelectorAll(".file:not([hidden]) [data-v]")];
  let focused = null;
  const focus = (expression) => {
    show(expression, { speak: true });
    focused?.removeAttribute("tabindex");
    focused = expression;
    expression.tabIndex = 0;
    expression.focus({ preventScroll: true });
    expression.scrollIntoView({ block: "nearest", inline: "nearest" });
    show(expression);
  };
  const walk = (key) => {
    const all = expressions();
    if (!all.length) return;
    const at = all.indexOf(current);
    if (at < 0) { focus(all[0]); return; }
    if (key === "ArrowRight" || key === "ArrowLeft") {
      focus(all[Math.max(0, Math.min(all.length - 1, at + (key === "ArrowRight" ? 1 : -1)))]);
      return;
    }
    const down = key === "ArrowDown";
    const line = current.closest(".l");
    const next = (down ? all.slice(at) : all.slice(0, at).reverse()).find((other) => other.closest(".l") !== line);
    if (next) focus(next.closest(".l").querySelector("[data-v]"));
  };
  code.addEventListener("focus", () => { if (current) focus(current); });

  // Findings, one after another.
  let finding = -1;
  const stepTo = (direction) => {
    if (!cards.length) return;
    const focused = cards.indexOf(document.activeElement.id);
    if (focused >= 0) finding = focused;
    finding = finding < 0 ? (direction > 0 ? 0 : cards.length - 1) : (finding + direction + cards.length) % cards.length;
    hideTip();
    goTo(cards[finding]);
  };
  byId("next").addEventListener("click", () => stepTo(1));
  byId("previous").addEventListener("click", () => stepTo(-1));

  // Light and dark, as the system has it until the reader says otherwise.
  const recall = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const remember = (key, value) => { try { localStorage.setItem(key, value); } catch { /* a page from a file may not */ } };
  const theme = recall("tracetrap-theme");
  if (theme) root.dataset.theme = theme;
  const switchTheme = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    remember("tracetrap-theme", root.dataset.theme);
  };
  byId("theme").addEventListener("click", switchTheme);
  for (const button of document.querySelectorAll("[data-hides]")) {
    button.addEventListener("click", () => {
      const hidden = document.body.classList.toggle("hide-" + button.dataset.hides);
      button.setAttribute("aria-pressed", String(!hidden));
    });
  }
  byId("keys").addEventListener("click", () => byId("help").showModal());

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    const inCode = code.contains(document.activeElement) || document.activeElement === document.body;
    if (event.key === "j") stepTo(1);
    else if (event.key === "k") stepTo(-1);
    else if (event.key === "t") switchTheme();
    else if (event.key === "b") history.back();
    else if (event.key === "?") byId("help").showModal();
    else if (event.key === "Escape") hideTip();
    else if (event.key.startsWith("Arrow") && inCode && !document.activeElement.closest("pre")) { walk(event.key); event.preventDefault(); }
    else if (event.key === "Enter" && document.activeElement === current && current) follow(current);
  });
  if (location.hash) arrive();
})();
