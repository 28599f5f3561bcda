// Returns a list of the page's problems for a reader on a screen of a given width, or [] if there are none. Runs in the
// page. The window's width is unsuitable, because a phone zooms out of a page that is too wide.
((screenWidth) => {
  const findings = [];
  const leastSize = 11;
  const leastContrast = 4.5;
  const root = document.documentElement;
  const name = (node) => {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    const place = element.closest("[id]");
    return `${element.tagName.toLowerCase()}.${element.className.baseVal ?? element.className} in #${place?.id}`;
  };

  if (root.scrollWidth > screenWidth) findings.push(`the page is ${root.scrollWidth} px wide, and the screen ${screenWidth} px`);

  const channels = (text) => {
    const parts = text.match(/[\d.]+/g).map(Number);
    return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element) => {
    for (let node = element; node; node = node.parentElement) {
      const color = channels(getComputedStyle(node).backgroundColor);
      if (color.alpha === 1) return color.rgb;
      if (color.alpha > 0) findings.push(`${name(node)} has a translucent background, which this check does not support`);
    }
    return [255, 255, 255];
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let texts = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || ["TITLE", "DESC", "STYLE", "title", "desc"].includes(element.tagName)) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
    if (boxes.length === 0) continue;
    texts += 1;
    const style = getComputedStyle(element);
    let size = parseFloat(style.fontSize);
    const svg = element.closest("svg");
    if (svg && element.getScreenCTM) {
      const matrix = element.getScreenCTM();
      size *= Math.min(Math.hypot(matrix.a, matrix.b), Math.hypot(matrix.c, matrix.d));
    }
    if (size < leastSize) findings.push(`${name(node)}: “${node.data.slice(0, 30)}” is ${size} px`);
    const [a, b] = [luminance(channels(style.color).rgb), luminance(background(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < leastContrast) {
      findings.push(`${name(node)}: “${node.data.slice(0, 30)}” has a contrast of ${contrast.toFixed(2)}`);
    }
    if (!element.closest(".scroll")) {
      const left = Math.min(...boxes.map((box) => box.left));
      const right = Math.max(...boxes.map((box) => box.right));
      if (left < -0.5 || right > screenWidth + 0.5) {
        findings.push(`${name(node)}: “${node.data.slice(0, 30)}” reaches from ${left} to ${right} of ${screenWidth}`);
      }
    }
  }
  if (texts === 0) findings.push("there is no text");

  // Labels of an axis must not overlap or exceed their figure.
  for (const axis of document.querySelectorAll(".x, .y")) {
    if (!axis.checkVisibility()) continue;
    const boxes = [...axis.children].map((label) => label.getBoundingClientRect());
    const frame = axis.closest("figure").getBoundingClientRect();
    boxes.forEach((box, index) => {
      if (box.left < frame.left - 0.5 || box.right > frame.right + 0.5) {
        findings.push(`${name(axis)}: a label exceeds its figure`);
      }
      for (const other of boxes.slice(index + 1)) {
        const apart = box.right <= other.left || other.right <= box.left
          || box.bottom <= other.top + 2 || other.bottom <= box.top + 2;
        if (!apart) findings.push(`${name(axis)}: labels overlap`);
      }
    });
  }

  for (const frame of document.querySelectorAll(".scroll")) {
    if (frame.scrollWidth > frame.clientWidth + 1) {
      findings.push(`a table ${name(frame)} is ${frame.scrollWidth} px wide, and its frame ${frame.clientWidth} px`);
    }
  }
  for (const picture of document.querySelectorAll("svg")) {
    const box = picture.getBoundingClientRect();
    if (picture.checkVisibility() && (box.width < 100 || box.height < 20)) {
      findings.push(`${name(picture)}: the picture is ${box.width} by ${box.height}`);
    }
  }
  return [...new Set(findings)];
})
