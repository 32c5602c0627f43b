package org.example.text;

import java.util.ArrayList;
import java.util.List;

class WordSplitter implements Splitter {
  private final int width;

  WordSplitter(int width) {
    this.width = width;
  }

  @Override
  public List<String> split(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ")) {
      if (line.length() + word.length() > width) {
        lines.add(line.toString());
        line = new StringBuilder();
      }
      if (line.length() > 0) line.append(' ');
      line.append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
